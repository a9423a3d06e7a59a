#include <fmt/format.h>

#include "agent_job.h"
#include "context_setup.h"
#include "job/read_journal.h"
#include "monitor/metric.h"

namespace pedro {
namespace {

bool is_worth_writing(std::string_view type) {
  return type == "thread.started" || type == "turn.completed" || type == "phase.completed" ||
         type == "thread.completed";
}

std::string with_home(const std::string& path, const Environment& environment) {
  return path.starts_with("~/") ? join_path(environment.get("HOME"), path.substr(2)) : path;
}

}  // namespace

JobMonitor::JobMonitor(CommandContext& context, const LoadedConfig& config, Http& http,
                       const ModelRegistry& models, std::function<void(std::string_view)> tell)
    : context_(context),
      http_(http),
      models_(models),
      file_(with_home(config.config.monitor.metrics_file, context.environment)),
      target_(otlp_target(context.environment)),
      tell_(std::move(tell)),
      watch_(warn_settings(config).ok() ? *warn_settings(config) : WarnAt{}) {}

Status JobMonitor::begin() {
  if (file_.empty()) return {};
  const Status written = write_file();
  if (written) return {};
  return Error{ErrorKind::kUsage, written.error().message}.at("-metrics-file");
}

void JobMonitor::hear(std::string_view line) {
  const Result<Json> event = parse_json(line);
  if (!event) return;  // this program wrote it
  reader_.hear(*event);
  const JobFigures& job = reader_.figures();
  for (const std::string& warning : watch_.look(job, models_.model(job.model))) tell_(warning);
  if (file_.empty() || !is_worth_writing(text_of(*event, "type"))) return;
  if (const Status written = write_file(); !written) {
    print_note(context_.global, "pedrocli: metrics stop here: " + written.error().message);
    file_.clear();
  }
}

// Discards warnings: the previous process reported them.
void JobMonitor::hear_earlier(const std::string& journal) {
  (void)read_journal(context_.files, journal, [this](const Json& event) {
    reader_.hear(event);
    (void)watch_.look(reader_.figures(), models_.model(reader_.figures().model));
  });
}

void JobMonitor::end() {
  if (!target_) return;
  const JobFigures& job = reader_.figures();
  const CancelToken none;  // sends even after an interruption
  const Status sent = send_otlp(http_, *target_, to_otlp(job, models_.model(job.model)), none);
  if (sent) return;
  print_note(context_.global, "pedrocli: metrics were not exported: " + sent.error().message);
}

Status JobMonitor::write_file() {
  const JobFigures& job = reader_.figures();
  return context_.files.write_atomic(
      file_, to_prometheus(metrics_of(job, models_.model(job.model))), 0644);
}

}  // namespace pedro
