#include <fmt/format.h>

#include <algorithm>

#include "acp_agent.h"
#include "agent/feedback.h"
#include "agent_setup.h"
#include "base/text.h"
#include "base/utf8.h"
#include "git/commit_files.h"
#include "job/exit_code.h"
#include "job/read_journal.h"
#include "sys/child_program.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxReportBytes = 1u << 20;
constexpr std::size_t kMaxLastErrorBytes = 1000;

struct ModeRow {
  const char* id;
  const char* name;
  const char* description;
};

constexpr ModeRow kModes[] = {
    {"ask", "Ask", "Answers from the project; changes nothing"},
    {"plan", "Plan", "Reads the project and plans a change; /resume carries it out"},
    {"build", "Build", "Changes the files until the project's checks pass; commits nothing"},
};

struct CommandRow {
  const char* name;
  const char* description;
  const char* hint;  // nullptr: takes no text
};

constexpr CommandRow kAcpCommands[] = {
    {"ask", "Answer a question about the project; change nothing", "question"},
    {"plan", "Plan a change; /resume carries it out", "task"},
    {"build", "Change the files until the project's checks pass", "task"},
    {"debug", "Reproduce a fault with a failing command, and fix it", "symptoms"},
    {"resume", "Continue the last job if it was stopped or reached a limit", "message, or nothing"},
    {"undo", "Restore the files to their state before the last job that could change them",
     nullptr},
};

// Returns the bytes of earlier messages for a model with this context window: about an eighth of
// it.
std::size_t bytes_of_earlier(long long window_tokens) {
  constexpr long long kUnknownWindow = 16'384;
  const long long window = window_tokens > 0 ? window_tokens : kUnknownWindow;
  return static_cast<std::size_t>(std::clamp(window * 3 / 8, 1000LL, 32LL << 10));
}

// Adds the earlier messages of the session to a task.
Result<std::string> with_earlier(CommandContext& context, const AcpSession& session,
                                 const std::string& text) {
  if (session.earlier.empty()) return text;
  PEDRO_TRY(const PromptLibrary library, open_prompts(context, session.cwd));
  PEDRO_TRY(const Feedback feedback, Feedback::load(library));
  const long long window = session.updates ? session.updates->window_tokens() : 0;
  std::vector<std::string> exchanges;
  for (const acp::Exchange& one :
       acp::newest_exchanges(session.earlier, bytes_of_earlier(window))) {
    exchanges.push_back(
        feedback.text("earlier_exchange", {{"user", one.user}, {"answer", one.agent}}));
  }
  return feedback.text("conversation", {{"prompt", text}, {"exchanges", join(exchanges, "\n\n")}});
}

}  // namespace

const std::string& AcpSession::last_job() const {
  static const std::string kNone;
  return updates ? updates->job() : kNone;
}

void AcpSession::add_exchange(acp::Exchange exchange) {
  earlier.push_back(std::move(exchange));
  if (updates && updates->has_checkpoints()) changed_job = updates->job();
  asked_job = updates && updates->is_answered() ? updates->job() : "";
}

Json acp_modes(const std::string& current) {
  Json modes = Json::array();
  for (const ModeRow& row : kModes) {
    modes.push_back({{"id", row.id}, {"name", row.name}, {"description", row.description}});
  }
  return {{"currentModeId", current}, {"availableModes", std::move(modes)}};
}

bool is_acp_mode(const std::string& id) {
  return std::any_of(std::begin(kModes), std::end(kModes),
                     [&](const ModeRow& row) { return row.id == id; });
}

Json acp_commands(const AcpSession& session) {
  Json commands = Json::array();
  const auto add = [&](const std::string& name, const std::string& description, const char* hint) {
    Json command = {{"name", name}, {"description", description}};
    if (hint != nullptr) command["input"] = {{"hint", hint}};
    commands.push_back(std::move(command));
  };
  for (const CommandRow& row : kAcpCommands) add(row.name, row.description, row.hint);
  for (const UserCommand& command : session.commands) {
    add(command.name, command.description, "arguments");
  }
  return commands;
}

std::vector<std::string> acp_command_names(const AcpSession& session) {
  std::vector<std::string> names;
  for (const CommandRow& row : kAcpCommands) names.emplace_back(row.name);
  for (const UserCommand& command : session.commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> acp_follow_up(const CommandContext& context, const AcpSession& session,
                                       const std::string& command, const std::string& text,
                                       const AcpPromptFiles& files) {
  const std::string& agent = command.empty() ? session.mode : command;
  const bool continues = agent == "ask" && !session.asked_job.empty() && files.material.empty() &&
                         files.images.empty();
  if (!continues || text.empty()) return {};
  std::vector<std::string> argv = {this_program(), "ask", "--live", "--after=" + session.asked_job};
  for (const std::string& flag : passed_on(context.global)) argv.push_back(flag);
  argv.insert(argv.end(), {"--", text});
  return argv;
}

Result<std::vector<std::string>> acp_job(CommandContext& context, const AcpSession& session,
                                         const std::string& command, const std::string& text,
                                         const AcpPromptFiles& files) {
  std::vector<std::string> argv = {this_program()};
  const auto add = [&](const std::vector<std::string>& more) {
    argv.insert(argv.end(), more.begin(), more.end());
  };
  if (command == "resume") {
    add({"resume", "--live"});
    add(passed_on(context.global));
    add({"--", session.last_job()});
    if (!text.empty()) add({text});
    return argv;
  }
  const std::string agent = command.empty() ? session.mode : command;
  const bool plans = agent == "plan";
  const bool writes = plans || agent == "build" || agent == "debug";
  const bool is_own = !writes && agent != "ask";  // a command of the user or the project
  add({is_own ? "run" : plans ? "build" : agent, "--live", "--workdir=" + session.cwd});
  if (plans) add({"--until=plan"});
  add(passed_on(context.global));
  if (!files.material.empty()) add({"--file=" + files.material});
  for (const std::string& path : files.images) add({"--image=" + path});
  if (is_own) {
    add({"--", "/" + agent});
    if (!text.empty()) add({text});
    return argv;
  }
  if (text.empty()) return usage_error(fmt::format("/{}: has no text after it", agent));
  PEDRO_TRY(const std::string task, with_earlier(context, session, text));
  if (writes) {
    // The files change in the editor, on top of the earlier turns.
    add({"--no-commit", "--allow-dirty",
         (agent == "debug" ? "--symptoms=" : "--description=") + task});
  } else {
    add({"--", task});
  }
  return argv;
}

Status replay_job(CommandContext& context, const std::string& job, AcpSession& session) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_RETURN_IF_ERROR(store.require(job));
  session.replay = {};
  PEDRO_RETURN_IF_ERROR(
      read_journal(context.files, store.journal_path(job),
                   [&](const Json& event) { session.replay.hear(event, *session.updates); }));
  return {};
}

bool was_interrupted(const CommandContext& context, const acp::StoredSession& stored) {
  if (stored.turns.empty() || stored.turns.back().cancelled || stored.turns.back().job.empty()) {
    return false;
  }
  const Result<JobStore> store = open_job_store(context);
  const Result<JobSummary> job =
      store ? store->load(stored.turns.back().job) : Result<JobSummary>(store.error());
  return job && (job->state == JobState::kDied || job->state == JobState::kInterrupted);
}

Result<std::unique_ptr<AcpTurn>> AcpTurn::start(const std::vector<std::string>& argv,
                                                acp::JobUpdates& updates, Events events,
                                                const Clock& clock) {
  std::unique_ptr<AcpTurn> turn(new AcpTurn(updates, std::move(events), clock));
  const auto hear = [heard_by = turn.get()](StandardStream stream, std::string_view line) {
    heard_by->hear(stream, line);
  };
  PEDRO_TRY(turn->program_, ChildProgram::start(argv, hear, {}, ChildInput::kPipe));
  return turn;
}

void AcpTurn::hear(StandardStream stream, std::string_view line) {
  constexpr std::string_view kPrefix = "pedrocli: ";
  if (stream == StandardStream::kError) {
    if (line.starts_with(kPrefix) && !line.starts_with("pedrocli: warning")) {
      line.remove_prefix(kPrefix.size());
      last_error_ = make_printable(truncate_utf8(line, kMaxLastErrorBytes));
    }
    return;
  }
  const Result<Json> event = parse_json(line);
  if (!event) return;
  if (text_of(*event, "type") == "permission.asked") return events_.on_question(*event);
  updates_.hear(*event);
  if (text_of(*event, "type") == "thread.started") events_.on_job(updates_.job());
}

void AcpTurn::go_on(const std::string& message) const {
  program_->write(to_line({{"message", message}}) + "\n");
}

void AcpTurn::answer(long long number, std::string_view word) const {
  program_->write(to_line({{"number", number}, {"answer", word}}) + "\n");
}

AcpTurnEnd end_of(const AcpTurn& turn, const acp::JobUpdates& updates, int code,
                  ClientActs client) {
  AcpTurnEnd end;
  const bool has_ended = code == kExitDone || (code >= kExitNotVerified && code <= kExitBlocked);
  const bool cancelled = client.cancelled || (client.went_away && !has_ended);
  if (cancelled) {
    end.stop_reason = "cancelled";
  } else if (has_ended) {
    end.stop_reason = code == kExitLimit ? "max_turn_requests" : "end_turn";
  }
  end.problem = !updates.error().empty() ? updates.error() : turn.last_error();
  if (end.problem.empty()) end.problem = fmt::format("the job ended with exit code {}", code);
  end.said = !updates.answer().empty() ? updates.answer() : cancelled ? "(cancelled)" : end.problem;
  return end;
}

acp::JobSources AcpFiles::sources() {
  return {[this](const std::string& path) { return report(path); },
          [this](const std::string& workdir, const std::string& commit, const std::string& path) {
            return text_at(workdir, commit, path);
          }};
}

std::string AcpFiles::report(const std::string& path) const {
  if (path.empty()) return "";
  const Result<std::string> text = context_.files.read(path, kMaxReportBytes);
  return text ? *text : "";
}

std::optional<std::string> AcpFiles::text_at(const std::string& workdir, const std::string& commit,
                                             const std::string& path) {
  const auto [at, is_new] = repositories_.try_emplace(workdir);
  if (is_new) {
    Result<Repository> opened =
        Repository::open(context_.files, context_.processes, context_.cancel, workdir);
    if (opened) at->second = std::make_unique<Repository>(*std::move(opened));
  }
  if (!at->second) return std::nullopt;
  const Result<std::string> text = CommitFiles(at->second->git()).text_at(commit, path);
  return text ? std::optional(*text) : std::nullopt;
}

}  // namespace pedro
