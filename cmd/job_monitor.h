#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "command.h"
#include "monitor/job_figures.h"
#include "monitor/otlp.h"
#include "sys/http.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// Tells programs that collect figures what a job takes: a file for Prometheus, rewritten after
/// each reply and each phase, and one message to an OpenTelemetry collector at the end. It hears
/// the job's journal. What goes wrong is told once on stderr, and the job goes on. Borrows all but
/// the settings.
class JobMonitor {
 public:
  JobMonitor(CommandContext& context, const MonitorSettings& settings, Http& http,
             const ModelRegistry& models);

  /// Writes the file without figures. Error (kUsage): it cannot be written.
  Status begin();
  /// A line of the journal.
  void hear(std::string_view line);
  /// The job is over. Heard again, it does nothing.
  void end();

 private:
  Status write_file();
  bool wanted() const { return !file_.empty() || target_; }

  CommandContext& context_;
  Http& http_;
  const ModelRegistry& models_;
  std::string file_;
  std::optional<OtlpTarget> target_;
  FigureReader reader_;
};

}  // namespace pedro
