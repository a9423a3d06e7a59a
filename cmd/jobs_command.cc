#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "choose_job.h"
#include "command.h"

namespace pedro {
namespace {

bool responds(const JobSummary& job, long long now_ms) {
  return silent_ms(job, now_ms) <= kMaxSilence_ms;
}

Json to_json(const JobSummary& job, long long now_ms) {
  Json json = {{"id", job.id},
               {"agent", job.agent},
               {"task", job.task},
               {"state", to_string(job.state)},
               {"exit_code", job.exit_code},
               {"outcome", job.outcome},
               {"reason", job.reason},
               {"refusals", job.refusals.count()},
               {"checks", job.checks},
               {"checks_failed", job.checks_failed},
               {"started", job.started},
               {"ended", job.ended},
               {"phase", job.phase},
               {"rounds", job.rounds},
               {"branch", job.branch},
               {"report", job.report}};
  if (job.alive_ms == 0) return json;
  json["alive"] = to_rfc3339(job.alive_ms);
  json["silent_s"] = silent_ms(job, now_ms) / 1000;
  json["responding"] = responds(job, now_ms);
  return json;
}

std::string state_text(const JobSummary& job, long long now_ms) {
  return responds(job, now_ms) ? std::string(to_string(job.state)) : "not responding";
}

std::string show(const JobSummary& job, long long now_ms) {
  std::string text = fmt::format("{}  {}\n", job.id, job.task);
  const auto line = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("  {:<8} {}\n", name, value);
  };
  line("state", state_text(job, now_ms));
  if (job.alive_ms != 0) {
    line("alive", fmt::format("{} s ago", silent_ms(job, now_ms) / 1000));
  }
  if (!responds(job, now_ms)) {
    line("", fmt::format("process {} is stopped or waits for its disk; if this persists, end it "
                         "with `kill -9 {}` and continue with `pedrocli resume {}`",
                         job.process.pid, job.process.pid, job.id));
  }
  const std::string& why = job.reason.empty() ? job.error : job.reason;
  line("outcome", job.outcome + (why.empty() || job.outcome.empty() ? "" : ": " + why));
  if (!job.ended.empty()) line("exit", std::to_string(job.exit_code));
  line("started", job.started);
  line("ended", job.ended);
  line("phase", job.phase);
  line("rounds", std::to_string(job.rounds));
  line("tokens", fmt::format("{} prompt ({} cached), {} generated", job.tokens.prompt_tokens,
                             job.tokens.cached_tokens, job.tokens.generated_tokens));
  line("refused", job.refusals.text());
  if (job.checks > 0) {
    line("checks", fmt::format("{} run, {} failed", job.checks, job.checks_failed));
  }
  line("branch", job.branch);
  line("report", job.report);
  return text;
}

Result<int> run_status(CommandContext& context, const std::string& given) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  PEDRO_TRY(const JobSummary job, store.load(id));
  print(context.global.json ? to_line(to_json(job, context.clock.now_ms())) + "\n"
                            : show(job, context.clock.now_ms()));
  return kExitDone;
}

Result<int> run_list(CommandContext& context, const std::size_t& max_jobs) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::vector<JobSummary> jobs, store.list(max_jobs));
  const long long now_ms = context.clock.now_ms();
  for (const JobSummary& job : jobs) {
    print(context.global.json
              ? to_line(to_json(job, now_ms)) + "\n"
              : fmt::format("{}  {:<14}  {}\n", job.id, state_text(job, now_ms), job.task));
  }
  if (jobs.empty()) print_note(context.global, "no jobs yet");
  return kExitDone;
}

}  // namespace

CommandFunction add_status_command(CLI::App& command) {
  auto id = std::make_shared<std::string>();
  command.add_option("job", *id, "The job's id (default: the newest)");
  return running(run_status, id);
}

CommandFunction add_list_command(CLI::App& command) {
  auto max_jobs = std::make_shared<std::size_t>(50);
  command.add_option("--max", *max_jobs, "Most jobs to list")->check(CLI::Range(1, 100000));
  return running(run_list, max_jobs);
}

}  // namespace pedro
