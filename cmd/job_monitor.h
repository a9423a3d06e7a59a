#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "command.h"
#include "monitor/job_figures.h"
#include "monitor/metric.h"
#include "monitor/usage_watch.h"
#include "sys/http.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// Warns the user of high usage (UsageWatch) and exports metrics of a job, based on its journal.
/// Rewrites a file for Prometheus after each reply and each phase. Sends one message to an
/// OpenTelemetry collector at the end. Reports each failure once on stderr and continues. Borrows
/// all arguments except the settings.
class JobMonitor {
 public:
  /// `tell` receives warnings for the user. Requires settings that open_agent_project() has
  /// checked.
  JobMonitor(CommandContext& context, const LoadedConfig& config, Http& http,
             const ModelRegistry& models, std::function<void(std::string_view)> tell);

  /// Sets the limits of the job.
  void expect(JobBudget budget) { watch_.set_budget(budget); }
  /// Writes the file without metrics. Error (kUsage): it cannot be written.
  Status begin();
  /// Processes a line of the journal.
  void hear(std::string_view line);
  /// Processes the journal of a resumed job's previous process, without warnings.
  void hear_earlier(const std::string& journal);
  /// Exports the final metrics. Further calls have no effect.
  void end();

 private:
  Status write_file();
  CommandContext& context_;
  Http& http_;
  const ModelRegistry& models_;
  std::string file_;
  std::optional<OtlpTarget> target_;
  std::function<void(std::string_view)> tell_;
  FigureReader reader_;
  UsageWatch watch_;
};

}  // namespace pedro
