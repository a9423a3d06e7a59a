#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "command.h"
#include "monitor/job_figures.h"
#include "monitor/otlp.h"
#include "monitor/usage_watch.h"
#include "sys/http.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// Tells a person when a job takes much (UsageWatch), and programs that collect figures what it
/// takes: a file for Prometheus, rewritten after
/// each reply and each phase, and one message to an OpenTelemetry collector at the end. It hears
/// the job's journal. What goes wrong is told once on stderr, and the job goes on. Borrows all but
/// the settings.
class JobMonitor {
 public:
  /// `tell` gets a line for a person. The settings have been checked by open_agent_project().
  JobMonitor(CommandContext& context, const LoadedConfig& config, Http& http,
             const ModelRegistry& models, std::function<void(std::string_view)> tell);

  /// What the job may take.
  void expect(JobBudget budget) { watch_.set_budget(budget); }
  /// Writes the file without figures. Error (kUsage): it cannot be written.
  Status begin();
  /// A line of the journal.
  void hear(std::string_view line);
  /// The journal of the process before, where a job is gone on with: nobody is told of it.
  void hear_earlier(const std::string& journal);
  /// The job is over. Heard again, it does nothing.
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
