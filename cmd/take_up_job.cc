#include "take_up_job.h"

#include <fmt/format.h>

#include "command.h"
#include "job/answer_log.h"
#include "job/inbox.h"

namespace pedro {
namespace {

// The state that a job must have.
enum class Needs { kStopped, kFinished };

bool takes_messages(const std::string& agent) {
  return agent == "ask" || agent == "build";
}

Error is_done(const JobSummary& job) {
  return usage_error(
      job.id + ": is done" +
      (takes_messages(job.agent)
           ? fmt::format("; continue with `pedrocli {} -after {} MESSAGE`", job.agent, job.id)
           : ""));
}

// Returns an error if the job is not one of `agent`.
Status require_agent(const JobSummary& job, const std::string& agent, Needs needs) {
  if (agent.empty() || job.agent == agent) return {};
  const bool later = needs == Needs::kFinished;
  const std::string next =
      !later ? fmt::format("try `pedrocli resume {}`", job.id)
      : takes_messages(job.agent)
          ? fmt::format("try `pedrocli {} -after {} MESSAGE`", job.agent, job.id)
          : "only jobs of ask and build take later messages: start a new job";
  return usage_error(fmt::format("{} {}: is a job of {}, not of {}; {}",
                                 later ? "-after" : "-resume", job.id, job.agent, agent, next));
}

Status may_be_resumed(const JobSummary& job, const Json& start, Needs needs) {
  if (job.state == JobState::kRunning) {
    return usage_error(fmt::format("{}: is already running (process {}); try `pedrocli tell`",
                                   job.id, job.process.pid));
  }
  if (needs == Needs::kStopped && job.state == JobState::kDone) return is_done(job);
  if (needs == Needs::kFinished && !job.is_finished()) {
    return usage_error(
        fmt::format("{}: is not done; continue with `pedrocli resume {} MESSAGE`", job.id, job.id));
  }
  const std::string version = text_of(start, "version");
  if (version == PEDROCLI_VERSION) return {};
  return usage_error(fmt::format("{}: started with version {}, this is " PEDROCLI_VERSION
                                 "; use that version, or start a new job",
                                 job.id, version));
}

struct StoppedJob {
  std::string id;
  Json start;  // see AnswerLog
};

Result<StoppedJob> find_stopped(CommandContext& context, const std::string& given,
                                const std::string& agent, Needs needs = Needs::kStopped) {
  if (!context.global.resume.empty())
    return usage_error("-resume: a resumed job cannot resume another");
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  PEDRO_TRY(JobSummary job, store.load(id));
  // A finished job stays finished even if its journal has lost its end.
  const JobSummary brief = store.brief(id);
  if (needs == Needs::kStopped && brief.state == JobState::kDone) return is_done(job);
  if (brief.is_finished()) job = brief;
  PEDRO_RETURN_IF_ERROR(require_agent(job, agent, needs));
  Result<Json> start = AnswerLog::read_start(context.files, store.folder(id));
  if (!start) return start.error().at(id);
  PEDRO_RETURN_IF_ERROR(may_be_resumed(job, *start, needs));
  return StoppedJob{id, *std::move(start)};
}

}  // namespace

// Changes into the job's folder and schedules its command line.
static Result<int> schedule(CommandContext& context, const StoppedJob& job) {
  const Result<std::string> here = context.files.canonical(".");
  if (!here) return usage_error(here.error().message);
  const std::string folder = text_of(job.start, "folder");
  if (!context.files.enter(folder)) {
    return usage_error(fmt::format("{}: its folder {} no longer exists", job.id, folder));
  }
  context.job_args = texts_of(member(job.start, "args"));
  context.more_args = context.global.args;
  context.more_folder = *here;
  context.global.resume = job.id;
  return kExitDone;
}

Result<int> take_up_job(CommandContext& context, const std::string& given,
                        const std::string& agent) {
  PEDRO_TRY(const StoppedJob job, find_stopped(context, given, agent));
  return schedule(context, job);
}

Result<int> take_up_conversation(CommandContext& context, const std::string& given,
                                 const std::string& agent, const std::string& text) {
  PEDRO_RETURN_IF_ERROR(Inbox::check(text));
  PEDRO_TRY(const StoppedJob job, find_stopped(context, given, agent, Needs::kFinished));
  context.global.message = text;
  return schedule(context, job);
}

Status require_own_project(CommandContext& context, const std::string& given,
                           const std::string& root) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  const JobSummary job = store.brief(id);
  if (job.works_in(root)) return {};
  const std::string& place = job.repository.empty() ? job.workdir : job.repository;
  return usage_error(
      fmt::format("-after {}: is a job of {}, not of {}: run the command there", id, place, root));
}

Status take_up_here(CommandContext& context, const std::string& given, const std::string& agent,
                    const std::string& root) {
  PEDRO_TRY(const StoppedJob job, find_stopped(context, given, agent));
  const std::string folder = text_of(job.start, "workdir");
  if (folder != root) {
    return usage_error(
        fmt::format("-resume {}: works in {}; try `pedrocli resume {}`", job.id, folder, job.id));
  }
  context.global.resume = job.id;
  return {};
}

}  // namespace pedro
