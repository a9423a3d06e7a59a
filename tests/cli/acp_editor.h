#pragma once

#include <doctest/doctest.h>
#include <signal.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/acp_schema.h"
#include "cli/program.h"
#include "cli/scripted_model.h"
#include "sys/child_program.h"

namespace pedro {

/// A client of `pedrocli acp`: starts it, and validates every message in both directions.
class AcpEditor {
 public:
  AcpEditor(const Program& bench, const std::string& model_url, AcpSchema& schema)
      : schema_(schema) {
    ::signal(SIGPIPE, SIG_IGN);
    auto environment = bench.environment();
    environment["PEDROCLI_MODEL_TRIES"] = "0";
    auto started = ChildProgram::start(
        {PEDROCLI_PROGRAM, "acp", "-backend", "openai", "-model-url", model_url},
        [this](StandardStream stream, std::string_view line) { hear(stream, line); }, environment,
        ChildInput::kPipe);
    REQUIRE(started.ok());
    agent_ = *std::move(started);
  }

  /// Sends bytes that need not be a message.
  void send_bytes(const std::string& bytes) { agent_->write(bytes); }
  /// Sends a request and returns its id.
  long long send(const std::string& method, const Json& params) {
    const long long id = next_id_++;
    methods_[id] = method;
    send_message({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
    return id;
  }
  void notify(const std::string& method, const Json& params) {
    send_message({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  /// Waits for the response to a request.
  Json wait_for(long long id) {
    wait_until([&] { return responses_.contains(id); });
    return responses_[id];
  }
  Json call(const std::string& method, const Json& params) {
    return wait_for(send(method, params));
  }

  /// Initializes, and opens a session in `cwd`. Returns its id.
  std::string open(const std::string& cwd) {
    initialize();
    return call("session/new",
                {{"cwd", cwd}, {"mcpServers", Json::array()}})["result"]["sessionId"];
  }
  Json initialize() {
    return call("initialize", {{"protocolVersion", 1}, {"clientCapabilities", Json::object()}});
  }
  static Json prompt_of(const std::string& session, const std::string& text) {
    const Json block = {{"type", "text"}, {"text", text}};
    return {{"sessionId", session}, {"prompt", Json::array({block})}};
  }
  Json prompt(const std::string& session, const std::string& text) {
    return call("session/prompt", prompt_of(session, text));
  }

  void wait_until(const std::function<bool()>& is_reached) {
    for (int i = 0; i < 600 && !is_reached() && !agent_->exit_code(); ++i) {
      ChildProgram::wait({agent_.get()}, 100);
    }
    CAPTURE(errors);
    REQUIRE(is_reached());
  }

  /// The updates of a kind so far, in all sessions.
  std::vector<Json> updates(std::string_view kind) const {
    std::vector<Json> found;
    for (const Json& update : updates_) {
      if (text_of(update, "sessionUpdate") == kind) found.push_back(update);
    }
    return found;
  }
  /// The text of the agent's messages so far.
  std::string said() const {
    std::string text;
    for (const Json& update : updates("agent_message_chunk")) {
      text += text_of(update["content"], "text");
    }
    return text;
  }
  void forget_updates() { updates_.clear(); }

  /// Kills the agent, as a crash does.
  void kill() {
    agent_->signal(SIGKILL);
    while (!agent_->exit_code()) ChildProgram::wait({agent_.get()}, 100);
  }
  void terminate() {
    agent_->signal(SIGTERM);
    for (int i = 0; i < 600 && !agent_->exit_code(); ++i) ChildProgram::wait({agent_.get()}, 100);
    REQUIRE(agent_->exit_code());
  }
  int exit_code() const { return *agent_->exit_code(); }

  std::string consent = "yes";       ///< the option that answers a question; "": none
  std::vector<Json> questions;       ///< parameters of session/request_permission
  std::vector<Json> unknown_errors;  ///< errors without an id
  std::string errors;                ///< the agent's standard error

 private:
  void send_message(const Json& message) {
    const auto method = methods_.find(number_of(message, "id", -1));
    schema_.check(message, message.contains("method") || method == methods_.end()
                               ? "session/request_permission"
                               : method->second);
    agent_->write(to_line(message) + "\n");
  }

  void hear(StandardStream stream, std::string_view line) {
    if (stream == StandardStream::kError) {
      errors += std::string(line) + "\n";
      return;
    }
    const auto message = parse_json(line);
    CAPTURE(std::string(line));
    REQUIRE(message.ok());
    const long long id = number_of(*message, "id", -1);
    schema_.check(*message, methods_.contains(id) ? methods_[id] : "");
    const std::string method = text_of(*message, "method");
    if (method == "session/update") {
      updates_.push_back((*message)["params"]["update"]);
    } else if (method == "session/request_permission") {
      questions.push_back((*message)["params"]);
      if (!consent.empty()) answer(id);
    } else if (member(*message, "id").is_null()) {
      unknown_errors.push_back((*message)["error"]);
    } else {
      responses_[id] = *message;
    }
  }

  void answer(long long id) {
    const Json outcome = {{"outcome", "selected"}, {"optionId", consent}};
    const Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"result", {{"outcome", outcome}}}};
    schema_.check(message, "session/request_permission");
    agent_->write(to_line(message) + "\n");
  }

  AcpSchema& schema_;
  std::unique_ptr<ChildProgram> agent_;
  long long next_id_ = 100;  // the agent's own requests have small ids
  std::map<long long, std::string> methods_;
  std::map<long long, Json> responses_;
  std::vector<Json> updates_;
};

}  // namespace pedro
