#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace pedro::acp {

/// The plan of a job: its phases so far, and the steps that one of them planned. The phase after
/// that one performs the steps.
class JobPlan {
 public:
  /// `total`: the number of phases.
  void start_phase(const std::string& name, long long total);
  /// `end`: see PhaseEnd. `output`: of the phase; the plan uses its `steps`, [{file, change}].
  void end_phase(const std::string& name, const std::string& end, const Json& output);

  /// Returns true if there is more than one phase.
  bool is_shown() const { return total_ > 1; }
  /// The entries of a `plan` update.
  Json entries() const;

 private:
  struct Phase {
    std::string name;
    std::string status;
    std::vector<std::string> steps = {};  // performed by the next phase
  };
  std::vector<Phase> phases_;
  long long total_ = 0;
};

}  // namespace pedro::acp
