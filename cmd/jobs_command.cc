#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent_flags.h"
#include "base/text.h"
#include "command.h"
#include "job/inbox.h"
#include "job_removal.h"
#include "sys/folder_lock.h"
#include "take_up_job.h"

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

// A running job holds the lock on its folder. A process id alone may have been reused.
Result<int> cancel_job(CommandContext& context, const std::string& given) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  PEDRO_TRY(const JobSummary job, store.load(id));
  if (FolderLock::take(store.folder(id))) {
    const bool ended = job.state != JobState::kRunning;
    return usage_error(fmt::format("{}: is not running{}", id,
                                   ended ? fmt::format("; it is {}", to_string(job.state)) : ""));
  }
  if (Status asked = end_process(job.process); !asked) return asked.error().at(id);
  if (context.global.json) {
    print_json({{"type", "cancel"}, {"job", id}, {"pid", job.process.pid}});
  } else {
    print(fmt::format("{}: was asked to stop; `pedrocli status {}` shows the result\n", id, id));
  }
  return kExitDone;
}

// A running job holds the lock on its folder.
Result<int> tell(CommandContext& context, const std::string& given, std::string text) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  if (FolderLock::take(store.folder(id))) {
    const bool done = store.brief(id).state == JobState::kDone;
    return Error{
        ErrorKind::kUsage,
        fmt::format("{}: is not running; {}", id,
                    done ? "it is done" : fmt::format("try `pedrocli resume {} MESSAGE`", id))};
  }
  if (text.empty()) {
    PEDRO_TRY(TextInput input, read_input(context, "-", Inbox::kMaxTextBytes));
    text = std::move(input.text);
  }
  if (Status added = Inbox::add(context.files, store.folder(id), text); !added) {
    return added.error().at(id);
  }
  if (context.global.json) {
    print_json({{"type", "tell"}, {"job", id}});
  } else {
    print(fmt::format("{}: reads the message before its next round\n", id));
  }
  return kExitDone;
}

Status remove_named(CommandContext& context, const JobStore& store, const std::string& given) {
  PEDRO_TRY(const std::string id, store.find(given));
  PEDRO_TRY(const RemovedJob removed, remove_job(context, store, id));
  Json left = Json::array();
  for (const std::string& what : {removed.left_refs, removed.left_tree}) {
    if (what.empty()) continue;
    print_note(context.global, fmt::format("{}: not removed: {}", id, what));
    left.push_back(what);
  }
  const int refs = removed.refs;
  print(context.global.json
            ? to_line({{"type", "rm"}, {"job", id}, {"refs", refs}, {"left", left}}) + "\n"
            : fmt::format("{}: removed{}\n", id,
                          refs == 0 ? "" : fmt::format(", with {} refs of its checkpoints", refs)));
  return {};
}

Result<int> run_rm(CommandContext& context, const std::vector<std::string>& jobs) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  int code = kExitDone;
  for (const std::string& job : jobs) {
    if (Status removed = remove_named(context, store, job); !removed) {
      code = report_error(removed.error(), context.cancel);
    }
    if (context.cancel.cancelled()) break;
  }
  return code;
}

Result<int> resume(CommandContext& context, const std::string& job, const std::string& message) {
  if (!message.empty()) PEDRO_RETURN_IF_ERROR(Inbox::check(message));
  context.global.message = message;
  return take_up_job(context, job);
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

CommandFunction add_cancel_command(CLI::App& command) {
  auto id = std::make_shared<std::string>();
  command.add_option("job", *id, "The job's id")->required();
  return running(cancel_job, id);
}

CommandFunction add_tell_command(CLI::App& command) {
  auto id = std::make_shared<std::string>();
  auto text = std::make_shared<std::string>();
  command.add_option("job", *id, "The job's id")->required();
  command.add_option("message", *text, "The message (default: standard input)");
  command.footer(
      "The message stays in the job's conversation and survives `resume` and replay.\n"
      "A message that comes after the last round is in the report.");
  return [id, text](CommandContext& context) {
    return exit_code(tell(context, *id, *text), context.cancel);
  };
}

CommandFunction add_rm_command(CLI::App& command) {
  auto jobs = std::make_shared<std::vector<std::string>>();
  command.add_option("job", *jobs, "The jobs' ids")->required();
  return running(run_rm, jobs);
}

CommandFunction add_resume_command(CLI::App& command) {
  auto job = std::make_shared<std::string>();
  auto message = std::make_shared<std::string>();
  command.add_option("job", *job, "The job's id (default: the newest)");
  command.add_option("message", *message, "A message to the model, as `pedrocli tell` sends it");
  // Overrides the job's limits. take_up_job() passes on the command line, so the values are not
  // read here.
  auto limits = std::make_shared<LimitOptions>();
  add_limit_flags(command, *limits);
  return [job, message, limits](CommandContext& context) {
    return exit_code(resume(context, *job, *message), context.cancel);
  };
}

}  // namespace pedro
