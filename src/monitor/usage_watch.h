#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "monitor/figure_sums.h"
#include "monitor/job_figures.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// From where on a person is told what a job takes. 0: never.
struct WarnAt {
  double window = 0.8;  ///< of the model's window, by prompt and reply together
  double budget = 0.8;  ///< of the inferences, or of the time, that a job may take
  double cost = 1;      ///< US dollars, and each time it is as much again
  double misses = 0.1;  ///< of what was evaluated: tokens that should have been in the cache
  double slowdown = 3;  ///< times as long for a generated token as at the job's beginning
};

/// An object of numbers from 0 to 1000000 by the names above; what is not named stays as it is.
/// Errors (kConfig) name what is wrong.
Result<WarnAt> read_warn_at(const Json& object);

/// What a job may take; 0: no limit.
struct JobBudget {
  long long inferences = 0;
  long long ms = 0;
};

/// Looks at a job's figures as they come, and says when it takes much; each thing once, but for the
/// window, which may have room again.
class UsageWatch {
 public:
  explicit UsageWatch(WarnAt at) : at_(at) {}

  void set_budget(JobBudget budget) { budget_ = budget; }

  /// What there is to say of the inferences that are new in `job`, a line each. `model` may be
  /// null. O(what is new).
  std::vector<std::string> look(const JobFigures& job, const KnownModel* model);

 private:
  void look_at_window(const InferenceFigures& one, std::vector<std::string>& told);
  void look_at_budget(const JobFigures& job, std::vector<std::string>& told);
  void look_at_cost(const Usage& usage, const KnownModel* model, std::vector<std::string>& told);
  void look_at_cache(const InferenceFigures& one, std::vector<std::string>& told);
  void look_at_speed(const InferenceFigures& one, std::vector<std::string>& told);

  WarnAt at_;
  JobBudget budget_;
  std::size_t seen_ = 0;  // inferences
  std::size_t seen_compactions_ = 0;
  bool window_told_ = false;
  bool rounds_told_ = false;
  bool time_told_ = false;
  double dollars_ = 0;
  double dollars_told_ = 0;
  long long evaluated_ = 0;
  long long missed_ = 0;
  bool misses_told_ = false;
  std::vector<double> first_ms_;   // of a generated token, in the first inferences
  std::vector<double> latest_ms_;  // and in the latest
  bool slowdown_told_ = false;
};

}  // namespace pedro
