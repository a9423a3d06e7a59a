#include "base/utf8.h"
#include "chat.h"
#include "json_rpc/message.h"

namespace pedro {
namespace {

constexpr int kChatLookEveryMs = 100;
constexpr int kAcpVersion = 1;

}  // namespace

Result<std::unique_ptr<ChatAgent>> ChatAgent::start(
    const std::vector<std::string>& flags, const std::map<std::string, std::string>& environment,
    Events events) {
  std::unique_ptr<ChatAgent> agent(new ChatAgent(std::move(events)));
  std::vector<std::string> argv = {this_program(), "acp"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  const auto hear = [heard_by = agent.get()](StandardStream stream, std::string_view line) {
    heard_by->hear(stream, line);
  };
  PEDRO_TRY(agent->program_, ChildProgram::start(argv, hear, environment, ChildInput::kPipe));
  PEDRO_TRY(const Json hello, agent->call("initialize", {{"protocolVersion", kAcpVersion},
                                                         {"clientCapabilities", Json::object()}}));
  return agent;
}

Result<Json> ChatAgent::call(const std::string& method, Json params, const Meanwhile& meanwhile) {
  const long long id = ++last_id_;
  program_->write(json_rpc::request(id, method, std::move(params)) + "\n");
  const std::vector<ChildProgram*> programs = {program_.get()};
  while (!answers_.contains(id)) {
    if (program_->exit_code()) {
      return Error{ErrorKind::kModel, last_warning_.empty() ? "the agent ended" : last_warning_};
    }
    if (!read_) {
      ChildProgram::wait(programs, kChatLookEveryMs);
    } else if (ChildProgram::wait_with_input(programs, kChatLookEveryMs) && !read_()) {
      read_ = nullptr;
    }
    if (meanwhile) meanwhile();
  }
  const Json answer = std::move(answers_.extract(id).mapped());
  const Json& error = member(answer, "error");
  if (!error.is_null()) return Error{ErrorKind::kModel, text_of(error, "message")};
  return member(answer, "result");
}

void ChatAgent::notify(const std::string& method, Json params) {
  program_->write(json_rpc::notification(method, std::move(params)) + "\n");
}

void ChatAgent::wait_until(const std::function<bool()>& is_reached) {
  constexpr int kTries = 20;
  for (int i = 0; i < kTries && !is_reached() && !program_->exit_code(); ++i) {
    ChildProgram::wait({program_.get()}, kChatLookEveryMs);
  }
}

void ChatAgent::hear(StandardStream stream, std::string_view line) {
  if (stream == StandardStream::kError) {
    constexpr std::string_view kPrefix = "pedrocli: ";
    if (line.starts_with(kPrefix)) line.remove_prefix(kPrefix.size());
    last_warning_ = make_printable(line);
    if (events_.on_warning) events_.on_warning(last_warning_);
    return;
  }
  const json_rpc::Message message = json_rpc::read_message(line);
  if (const auto* response = std::get_if<json_rpc::Response>(&message)) {
    if (!response->id.is_number_integer()) return;
    answers_[response->id.get<long long>()] = {{"result", response->result},
                                               {"error", response->error}};
    return;
  }
  const auto* call = std::get_if<json_rpc::Call>(&message);
  if (call == nullptr) return;
  if (call->method == "session/update") {
    events_.on_update(member(call->params, "update"));
  } else if (call->method == "session/request_permission") {
    const std::string option = events_.on_permission(call->params);
    const Json outcome = option.empty() ? Json{{"outcome", "cancelled"}}
                                        : Json{{"outcome", "selected"}, {"optionId", option}};
    program_->write(json_rpc::response(call->id, {{"outcome", outcome}}) + "\n");
  } else if (!call->is_notification()) {
    program_->write(json_rpc::response(
                        json_rpc::RpcError{json_rpc::kMethodNotFound, "not supported", call->id}) +
                    "\n");
  }
}

}  // namespace pedro
