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

/// The thresholds of warnings about a job's usage. 0 disables a warning.
struct WarnAt {
  double window = 0.8;  ///< share of the context window that prompt and reply use
  double budget = 0.8;  ///< share of the permitted inferences, or of the permitted time
  double cost = 1;      ///< US dollars; warns at each multiple
  double misses = 0.1;  ///< share of evaluated tokens that should have been in the cache
  double slowdown = 3;  ///< ratio of the times per generated token, latest to first inferences
};

/// Reads an object with the names above and numbers from 0 to 1000000. Missing names keep their
/// defaults. Errors (kConfig) name the invalid key.
Result<WarnAt> read_warn_at(const Json& object);

/// The limits of a job; 0: no limit.
struct JobBudget {
  long long inferences = 0;
  long long ms = 0;
};

/// Checks a job's figures as they arrive and returns warnings. Repeats a warning only for cost, and
/// for the window after it had room again.
class UsageWatch {
 public:
  explicit UsageWatch(WarnAt at) : at_(at) {}

  void set_budget(JobBudget budget) { budget_ = budget; }

  /// Returns the warnings about new inferences in `job`, one line each. `model` may be null. O(new
  /// inferences).
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
  std::vector<double> first_ms_;   // time per generated token, in the first inferences
  std::vector<double> latest_ms_;  // the same, in the latest inferences
  bool slowdown_told_ = false;
};

}  // namespace pedro
