#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chat/message.h"
#include "monitor/job_figures.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// What inferences cost at a model's price.
struct Cost {
  double dollars = 0;
  bool at_most = false;    ///< what came from a cache counts in full: its price is not known
  bool at_least = false;   ///< what was put into one counts as any other: its price is not known
  long long unpriced = 0;  ///< inferences of models without a price

  Cost& operator+=(const Cost& more);
};

/// The price of `usage`; `model` may be null.
Cost cost_of(const Usage& usage, const KnownModel* model);

/// Figures of some inferences, and of what was done around them.
struct Sums {
  long long jobs = 0;
  long long inferences = 0;  ///< with those that wrote summaries
  Usage usage;
  long long missed_tokens = 0;
  long long compactions = 0;
  long long saved_tokens = 0;
  long long retries = 0;          ///< as in JobFigures; of whole jobs, not of their parts
  long long failed_requests = 0;  ///< the same
  long long ms = 0;               ///< by the clock
  Cost cost;

  /// All but `jobs`.
  Sums& operator+=(const Sums& more);
  long long evaluated_tokens() const { return usage.prompt_tokens - usage.cached_tokens; }
};

struct NamedSums {
  std::string name;
  Sums sums;
};

/// What one job or many took: all of it, by model, by phase, by tool. Groups stand in the order
/// they came.
class FigureSums {
 public:
  /// Borrows the table.
  explicit FigureSums(const ModelRegistry& models) : models_(models) {}

  void add(const JobFigures& job);

  const Sums& total() const { return total_; }
  const std::vector<NamedSums>& models() const { return by_model_; }
  /// By "AGENT PHASE".
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

/// What one job took, its phases in their order: as JobFigures::phases.
std::vector<Sums> phase_sums(const JobFigures& job, const KnownModel* model);

/// The whole of a job, of which `phases` are phase_sums(): with what is no phase's.
Sums job_sums(const JobFigures& job, const std::vector<Sums>& phases);

}  // namespace pedro
