#include "acp_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "acp/job_updates.h"
#include "base/text.h"
#include "base/utf8.h"
#include "job/read_journal.h"
#include "seen_server.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr int kProtocolVersion = 1;
constexpr int kLookEveryMs = 100;
constexpr std::size_t kMaxWaiting = 4;  // jobs that wait for a message
constexpr std::size_t kSessionsInList = 50;
constexpr std::size_t kMaxOpenSessions = 1000;
constexpr std::size_t kShownIdBytes = 100;

json_rpc::RpcError params_error(const json_rpc::Call& call, std::string_view message) {
  return {json_rpc::kInvalidParams, fmt::format("{}: {}", call.method, message)};
}

}  // namespace

const std::vector<AcpAgent::Method>& AcpAgent::methods() {
  static const std::vector<Method> kMethods = {
      {"initialize", &AcpAgent::initialize},
      {"session/new", &AcpAgent::new_session},
      {"session/load", &AcpAgent::open_again},
      {"session/resume", &AcpAgent::open_again},
      {"session/close", &AcpAgent::with_session<&AcpAgent::close_session>},
      {"session/list", &AcpAgent::list_sessions},
      {"session/set_mode", &AcpAgent::with_session<&AcpAgent::set_mode>},
      {"session/prompt", &AcpAgent::with_session<&AcpAgent::prompt>},
      {"session/cancel", &AcpAgent::with_session<&AcpAgent::cancel>},
      {"$/cancel_request", &AcpAgent::cancel_request},
  };
  return kMethods;
}

int AcpAgent::run() {
  for (;;) {
    if (client_.is_gone() && !closing_) lost_ = true;
    closing_ = closing_ || client_.is_gone() || context_.cancel.cancelled();
    keep_waiting(closing_ ? 0 : kMaxWaiting);
    const std::vector<ChildProgram*> running = programs();
    if (closing_ && running.empty()) break;
    if (closing_) {
      ChildProgram::wait(running, kLookEveryMs);
    } else if (ChildProgram::wait_with_input(running, kLookEveryMs)) {
      read();
    }
    finish_turns();
  }
  if (context_.cancel.cancelled()) return kExitSignal + context_.cancel.signal();
  if (!lost_) return kExitDone;
  print_error("pedrocli: the client went away during a turn or a message");
  return kExitInternal;
}

void AcpAgent::read() {
  const bool goes_on = client_.read([this](const json_rpc::Message& message) {
    if (const auto* call = std::get_if<json_rpc::Call>(&message)) {
      hear_call(*call);
    } else {
      hear_response(std::get<json_rpc::Response>(message));
    }
  });
  if (goes_on || context_.cancel.cancelled()) return;
  lost_ = client_.is_inside_message() || is_busy();
  closing_ = true;
}

void AcpAgent::hear_call(const json_rpc::Call& call) {
  const bool is_cancel = call.method == "session/cancel" || call.method == "$/cancel_request";
  if (call.is_notification() && !is_cancel) return;
  const auto method = std::find_if(methods().begin(), methods().end(),
                                   [&](const Method& row) { return row.name == call.method; });
  Answer answer;
  if (method == methods().end()) {
    answer = json_rpc::RpcError{
        json_rpc::kMethodNotFound,
        fmt::format("no method '{}'", truncate_utf8(call.method, kShownIdBytes))};
  } else if (!initialized_ && call.method != "initialize") {
    answer =
        json_rpc::RpcError{json_rpc::kInvalidRequest, call.method + ": initialize must come first"};
  } else {
    answer = (this->*method->function)(call);
  }
  if (auto* error = std::get_if<json_rpc::RpcError>(&answer); error != nullptr) {
    error->id = call.id;
    if (!call.is_notification()) client_.send(json_rpc::response(*error));
  } else if (auto* result = std::get_if<Json>(&answer); result != nullptr) {
    if (!call.is_notification()) client_.send(json_rpc::response(call.id, std::move(*result)));
  }
  for (const auto& next : std::exchange(after_response_, {})) next();
}

void AcpAgent::hear_response(const json_rpc::Response& response) {
  if (!response.id.is_number_integer()) return;
  const auto id = response.id.get<long long>();
  for (auto& [name, session] : sessions_) {
    const auto question = session.questions.find(id);
    if (question == session.questions.end()) continue;
    const long long number = question->second;
    session.questions.erase(question);
    if (session.turn) session.turn->answer(number, acp::permission_answer(response.result));
    return;
  }
}

void AcpAgent::send_update(const AcpSession& session, Json update) {
  if (session.muted) return;
  client_.send(json_rpc::notification("session/update",
                                      {{"sessionId", session.id}, {"update", std::move(update)}}));
}

void AcpAgent::say(const AcpSession& session, const std::string& text) {
  if (text.empty()) return;
  send_update(session, {{"sessionUpdate", "agent_message_chunk"},
                        {"content", {{"type", "text"}, {"text", text}}}});
}

bool AcpAgent::sees_images() const {
  Result<LoadedConfig> config = load_project_config(context_);
  return config && see_server(context_, *std::move(config), true).takes_images;
}

AcpAgent::Answer AcpAgent::initialize(const json_rpc::Call& call) {
  const Json& version = member(call.params, "protocolVersion");
  if (!version.is_number_unsigned() || version.get<std::uint64_t>() > 0xffff) {
    return params_error(call, "protocolVersion: expected an integer from 0 to 65535");
  }
  initialized_ = true;
  const Json none = Json::object();
  return Json{
      {"protocolVersion", kProtocolVersion},
      {"agentInfo", {{"name", "pedrocli"}, {"title", "pedrocli"}, {"version", PEDROCLI_VERSION}}},
      {"agentCapabilities",
       {{"loadSession", true},
        {"promptCapabilities",
         {{"image", sees_images()}, {"audio", false}, {"embeddedContext", true}}},
        {"mcpCapabilities", {{"http", false}, {"sse", false}}},
        {"sessionCapabilities", {{"list", none}, {"resume", none}, {"close", none}}}}},
      {"authMethods", Json::array()}};
}

// Returns the folder of a new or loaded session.
std::variant<std::string, json_rpc::RpcError> AcpAgent::folder_of(
    const json_rpc::Call& call) const {
  const std::string cwd = text_of(call.params, "cwd");
  const Result<std::string> folder = context_.files.canonical(cwd);
  if (!cwd.starts_with('/') || !folder || context_.files.info(*folder).kind != FileKind::kFolder) {
    return params_error(call, "cwd: expected the absolute path of a folder");
  }
  if (!member(call.params, "mcpServers").empty()) {
    print_note(context_.global, "pedrocli: warning: the editor's MCP servers are not used");
  }
  if (sessions_.size() >= kMaxOpenSessions) {
    return params_error(call, fmt::format("{} sessions are open; close some", sessions_.size()));
  }
  return *folder;
}

// Calls a function with the open session that the call names.
template <auto kFunction>
AcpAgent::Answer AcpAgent::with_session(const json_rpc::Call& call) {
  const std::string id = text_of(call.params, "sessionId");
  const auto found = sessions_.find(id);
  if (found != sessions_.end()) return (this->*kFunction)(found->second, call);
  return json_rpc::RpcError{
      json_rpc::kNotFound,
      fmt::format("{}: no open session '{}'", call.method, truncate_utf8(id, kShownIdBytes))};
}

// Reads the commands. The client learns of the commands after the response.
void AcpAgent::finish_opening(AcpSession& session) {
  const std::string own = context_.environment.config_folder();
  Result<std::vector<UserCommand>> commands = read_user_commands(
      context_.files,
      {join_path(session.cwd, ".pedro/command"), own.empty() ? "" : join_path(own, "command")},
      [this](const std::string& text) {
        print_note(context_.global, "pedrocli: warning: " + text);
      });
  if (commands) session.commands = *std::move(commands);
  // Names of pedrocli's own commands always mean those.
  const std::vector<std::string> own_names = acp_command_names({});
  std::erase_if(session.commands, [&](const UserCommand& command) {
    return std::find(own_names.begin(), own_names.end(), command.name) != own_names.end();
  });
  after_response_.push_back([this, id = session.id] {
    const AcpSession& opened = sessions_.at(id);
    send_update(opened, {{"sessionUpdate", "available_commands_update"},
                         {"availableCommands", acp_commands(opened)}});
  });
}

AcpAgent::Answer AcpAgent::new_session(const json_rpc::Call& call) {
  auto folder = folder_of(call);
  if (auto* error = std::get_if<json_rpc::RpcError>(&folder)) return *error;
  const std::string cwd = std::get<std::string>(folder);
  std::random_device random;
  const Result<std::string> id =
      store_.create(context_.clock, cwd, [&] { return static_cast<std::uint32_t>(random()); });
  if (!id) return json_rpc::RpcError{.message = id.error().message};
  Result<FolderLock> lock = FolderLock::take(store_.folder(*id));
  if (!lock) return json_rpc::RpcError{.message = lock.error().message};
  AcpSession& session = sessions_[*id];
  session.id = *id;
  session.cwd = cwd;
  session.mode = "ask";
  session.lock = *std::move(lock);
  finish_opening(session);
  return Json{{"sessionId", *id}, {"modes", acp_modes(session.mode)}};
}

AcpAgent::Answer AcpAgent::open_again(const json_rpc::Call& call) {
  auto folder = folder_of(call);
  if (auto* error = std::get_if<json_rpc::RpcError>(&folder)) return *error;
  const std::string id = text_of(call.params, "sessionId");
  const Result<acp::StoredSession> stored = store_.load(id);
  if (!stored) return json_rpc::RpcError{json_rpc::kNotFound, stored.error().message};
  if (stored->cwd != std::get<std::string>(folder)) {
    return params_error(call, "cwd: the session works in " + stored->cwd);
  }
  if (const auto open = sessions_.find(id); open != sessions_.end()) {
    if (open->second.turn)
      return json_rpc::RpcError{json_rpc::kInvalidRequest, id + ": a job is running"};
    sessions_.erase(open);
  }
  Result<FolderLock> lock = FolderLock::take(store_.folder(id));
  if (!lock)
    return json_rpc::RpcError{json_rpc::kInvalidRequest, id + ": another process has it open"};
  AcpSession& session = sessions_[id];
  session.id = id;
  session.cwd = stored->cwd;
  session.mode = is_acp_mode(stored->mode) ? stored->mode : "ask";
  session.lock = *std::move(lock);
  session.muted = call.method == "session/resume";  // without the earlier updates
  for (const acp::StoredTurn& turn : stored->turns) replay(session, turn);
  session.muted = false;
  finish_opening(session);
  if (was_interrupted(context_, *stored)) {
    session.prompt = session.earlier.back().user;
    session.earlier.pop_back();
    after_response_.push_back([this, id] {
      AcpSession& opened = sessions_.at(id);
      const auto argv = acp_job(context_, opened, "resume", "", {});
      if (argv) (void)start_turn(opened, *argv);
    });
  }
  return Json{{"modes", acp_modes(session.mode)}};
}

// Sends the updates of an earlier turn again. A job's journal has them.
void AcpAgent::replay(AcpSession& session, const acp::StoredTurn& turn) {
  send_update(session, {{"sessionUpdate", "user_message_chunk"},
                        {"content", {{"type", "text"}, {"text", turn.prompt}}}});
  acp::Exchange exchange{turn.prompt, turn.message};
  say(session, turn.message);
  if (!turn.job.empty()) {
    if (turn.job != session.last_job()) {  // else the journal has both turns of the job
      open_updates(session);
      const Status read = replay_job(context_, turn.job, session);
      say(session, read ? session.updates->error() : make_printable(read.error().message));
    } else {
      session.replay.next_turn(*session.updates);
    }
    const acp::JobUpdates& updates = *session.updates;
    exchange.agent = updates.answer().empty() ? updates.error() : updates.answer();
  }
  session.add_exchange(std::move(exchange));
}

AcpAgent::Answer AcpAgent::close_session(AcpSession& session, const json_rpc::Call& /*call*/) {
  if (session.turn) {
    return json_rpc::RpcError{json_rpc::kInvalidRequest, session.id + ": cancel its job first"};
  }
  sessions_.erase(session.id);
  return Json::object();
}

AcpAgent::Answer AcpAgent::list_sessions(const json_rpc::Call& call) {
  const std::string cwd = text_of(call.params, "cwd");
  const std::string cursor = text_of(call.params, "cursor");
  const Result<std::vector<std::string>> ids = store_.ids();
  if (!ids) return json_rpc::RpcError{.message = ids.error().message};
  Json listed = Json::array();
  Json next;
  for (const std::string& id : *ids) {
    if (!cursor.empty() && id >= cursor) continue;
    const Result<acp::StoredSession> session = store_.load(id);
    if (!session || session->turns.empty() || (!cwd.empty() && session->cwd != cwd)) continue;
    listed.push_back({{"sessionId", id},
                      {"cwd", session->cwd},
                      {"title", session->title},
                      {"updatedAt", to_rfc3339(session->changed_ms)}});
    if (listed.size() < kSessionsInList) continue;
    next = id;
    break;
  }
  Json result = {{"sessions", std::move(listed)}};
  if (!next.is_null()) result["nextCursor"] = next;
  return result;
}

AcpAgent::Answer AcpAgent::set_mode(AcpSession& session, const json_rpc::Call& call) {
  const std::string mode = text_of(call.params, "modeId");
  if (!is_acp_mode(mode))
    return params_error(call, "modeId: expected \"ask\", \"plan\" or \"build\"");
  const Status kept = store_.set_mode(session.id, mode);
  if (!kept) return json_rpc::RpcError{.message = kept.error().message};
  session.mode = mode;
  return Json::object();
}

AcpAgent::Answer AcpAgent::prompt(AcpSession& session, const json_rpc::Call& call) {
  if (session.turn) {
    return json_rpc::RpcError{json_rpc::kInvalidRequest,
                              session.id + ": a job is running; cancel it, or wait for its end"};
  }
  const auto read = acp::read_prompt(member(call.params, "prompt"), session.cwd);
  if (const auto* error = std::get_if<json_rpc::RpcError>(&read)) return *error;
  return start_prompt(session, std::get<acp::Prompt>(read), call.id);
}

AcpPromptFiles AcpAgent::files_for(const AcpSession& session, const acp::Prompt& prompt) const {
  const std::string folder = store_.folder(session.id);
  AcpPromptFiles files;
  if (!prompt.material.empty()) files.material = join_path(folder, "material.txt");
  for (std::size_t i = 1; i <= prompt.images.size(); ++i) {
    files.images.push_back(join_path(folder, fmt::format("image{}", i)));
  }
  return files;
}

AcpAgent::Answer AcpAgent::start_prompt(AcpSession& session, const acp::Prompt& prompt,
                                        const Json& id) {
  const auto [command, text] = acp::split_command(prompt.text, acp_command_names(session));
  if ((command == "resume" && session.last_job().empty()) ||
      (command == "undo" && session.changed_job.empty())) {
    return json_rpc::RpcError{json_rpc::kInvalidParams,
                              fmt::format("/{}: the session has no such job", command)};
  }
  const AcpPromptFiles files = files_for(session, prompt);
  std::vector<std::string> argv = acp_follow_up(context_, session, command, text, files);
  const bool continues = !argv.empty() || command == "resume";
  session.otherwise.clear();
  if (command != "undo") {
    Result<std::vector<std::string>> job = acp_job(context_, session, command, text, files);
    if (!job) return json_rpc::RpcError{json_rpc::kInvalidParams, job.error().message};
    if (argv.empty()) {
      argv = *std::move(job);
    } else {
      session.otherwise.push_back({*std::move(job), true});
    }
  }
  Status kept = store_.add_turn(session.id, prompt.text);
  if (kept && !files.material.empty()) {
    kept = context_.files.write_atomic(files.material, prompt.material, 0600);
  }
  for (std::size_t i = 0; kept && i < prompt.images.size(); ++i) {
    kept = context_.files.write_atomic(files.images[i], prompt.images[i].bytes, 0600);
  }
  if (!kept) return json_rpc::RpcError{.message = kept.error().message};
  session.prompt = prompt.text;
  session.prompt_id = id;
  if (session.earlier.empty()) {
    send_update(session, {{"sessionUpdate", "session_info_update"},
                          {"title", acp::session_title(prompt.text)}});
  }
  if (command == "undo") return undo(session);
  const bool waits = session.waiting && !session.waiting->program().exit_code();
  if (waits && continues && command != "resume") {
    session.otherwise.push_front({std::move(argv), false});
    return go_on(session, text);
  }
  session.waiting.reset();
  if (!continues) open_updates(session);
  return start_turn(session, argv);
}

// Continues the conversation of the job that answered last, in its process.
AcpAgent::Answer AcpAgent::go_on(AcpSession& session, const std::string& text) {
  session.cancelled = false;
  session.updates->forget_end();
  session.turn = std::move(session.waiting);
  session.turn->go_on(text);
  return Later();
}

void AcpAgent::open_updates(AcpSession& session) {
  session.updates = std::make_unique<acp::JobUpdates>(
      files_.sources(),
      [this, id = session.id](Json update) { send_update(sessions_.at(id), std::move(update)); });
}

// Runs `pedrocli undo` in the session's folder.
AcpAgent::Answer AcpAgent::undo(AcpSession& session) {
  const Command command{.argv = {this_program(), "undo", session.changed_job},
                        .folder = session.cwd};
  const Result<ProcessResult> done = context_.processes.run(command, context_.cancel);
  if (!done) return json_rpc::RpcError{.message = done.error().message};
  if (!done->ok())
    return json_rpc::RpcError{json_rpc::kInternalError, std::string(trim(done->err))};
  say(session, done->out);
  (void)store_.add_message(session.id, done->out);
  session.add_exchange({session.prompt, done->out});
  session.asked_job.clear();  // its conversation lacks the message
  session.waiting.reset();
  return Json{{"stopReason", "end_turn"}};
}

AcpAgent::Answer AcpAgent::cancel_request(const json_rpc::Call& call) {
  const Json& request = member(call.params, "requestId");
  for (auto& [id, session] : sessions_) {
    if (!session.turn || session.prompt_id.is_null() || session.prompt_id != request) continue;
    return cancel(session, call);
  }
  return Json::object();
}

}  // namespace pedro
