#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chat/message.h"
#include "monitor/job_figures.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// The cost of inferences at a model's prices.
struct Cost {
  double dollars = 0;
  bool at_most = false;    ///< upper bound: cached tokens count in full, their price is unknown
  bool at_least = false;   ///< lower bound: cache writes count as input, their price is unknown
  long long unpriced = 0;  ///< inferences of models with unknown prices

  Cost& operator+=(const Cost& more);
};

/// Computes the cost of `usage`. `model` may be null: the cost is unpriced then.
Cost cost_of(const Usage& usage, const KnownModel* model);

/// Sums over inferences, and over the compactions between them.
struct Sums {
  long long jobs = 0;
  long long inferences = 0;  ///< includes those that wrote summaries
  Usage usage;
  long long missed_tokens = 0;
  long long compactions = 0;
  long long saved_tokens = 0;
  long long hooks = 0;            ///< as in JobFigures; 0 in sums of phases
  double hook_s = 0;              ///< the same
  long long retries = 0;          ///< as in JobFigures; 0 in sums of phases
  long long failed_requests = 0;  ///< as in JobFigures; 0 in sums of phases
  long long ms = 0;               ///< wall-clock time
  Cost cost;

  /// Adds all members except `jobs`.
  Sums& operator+=(const Sums& more);
  long long evaluated_tokens() const { return usage.prompt_tokens - usage.cached_tokens; }
};

struct NamedSums {
  std::string name;
  Sums sums;
};

/// Sums over one or more jobs: in total, by model, by phase and by tool. Groups are in order of
/// first appearance.
class FigureSums {
 public:
  /// Borrows the registry.
  explicit FigureSums(const ModelRegistry& models) : models_(models) {}

  void add(const JobFigures& job);

  const Sums& total() const { return total_; }
  const std::vector<NamedSums>& models() const { return by_model_; }
  /// Returns sums by "AGENT PHASE".
  const std::vector<NamedSums>& phases() const { return by_phase_; }
  const std::vector<ToolFigures>& tools() const { return tools_; }

 private:
  void add_tools(const JobFigures& job);

  const ModelRegistry& models_;
  Sums total_;
  std::vector<NamedSums> by_model_;
  std::vector<NamedSums> by_phase_;
  std::vector<ToolFigures> tools_;
};

/// Returns one element per phase of the job, in the order of JobFigures::phases. `model` may be
/// null.
std::vector<Sums> phase_sums(const JobFigures& job, const KnownModel* model);

/// Returns the total of a job. `phases`: the result of phase_sums(). Adds time and failures outside
/// of phases.
Sums job_sums(const JobFigures& job, const std::vector<Sums>& phases);

}  // namespace pedro
