#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "support/loopback_server.h"

namespace pedro {

/// A model server with OpenAI's API that answers with prepared calls, {"tool", "args"}. The text
/// "stall" is a reply that never ends.
class ScriptedModel {
 public:
  ScriptedModel() : server_([this](const LoopbackRequest& request) { return answer(request); }) {}

  void add(const std::vector<std::string>& calls) {
    const std::lock_guard lock(mutex_);
    calls_.insert(calls_.end(), calls.begin(), calls.end());
  }
  std::string url() const { return server_.url(""); }
  /// Serves another model from now on.
  void rename(const std::string& name) {
    const std::lock_guard lock(mutex_);
    name_ = name;
  }
  /// Lists the model as one with vision from now on.
  void see() {
    const std::lock_guard lock(mutex_);
    sees_ = true;
  }
  /// The bodies of all requests for a reply.
  std::vector<std::string> bodies() const {
    const std::lock_guard lock(mutex_);
    return bodies_;
  }

 private:
  static std::string stream_of(const Json& call) {
    std::string stream;
    const std::string arguments = to_line(call["args"]);
    for (std::size_t at = 0; at < arguments.size();) {
      const std::string part(truncate_utf8(std::string_view(arguments).substr(at), 16));
      Json function = {{"arguments", part}};
      if (at == 0) function["name"] = call["tool"];
      at += part.size();
      const Json one = {
          {"index", 0}, {"id", "call_1"}, {"type", "function"}, {"function", function}};
      const Json delta = {
          {"role", "assistant"}, {"content", ""}, {"tool_calls", Json::array({one})}};
      stream += event({{"index", 0}, {"delta", delta}, {"finish_reason", nullptr}});
    }
    stream += event({{"index", 0}, {"delta", Json::object()}, {"finish_reason", "tool_calls"}});
    const Json usage = {{"choices", Json::array()},
                        {"usage", {{"prompt_tokens", 900}, {"completion_tokens", 20}}}};
    return stream + "data: " + to_line(usage) + "\n\ndata: [DONE]\n\n";
  }

  static std::string event(const Json& choice) {
    return "data: " + to_line({{"choices", Json::array({choice})}}) + "\n\n";
  }

  LoopbackReply answer(const LoopbackRequest& request) {
    if (request.target == "/v1/models") {
      const std::lock_guard lock(mutex_);
      Json model = {{"id", name_}, {"object", "model"}};
      if (sees_) model["capabilities"] = Json::array({"completion", "vision"});
      return {.body = to_line({{"object", "list"}, {"data", Json::array({model})}})};
    }
    if (request.target == "/props") {
      return {.body = R"({"default_generation_settings":{"n_ctx":32768}})"};
    }
    if (request.target != "/v1/chat/completions") return {.status = 404, .body = "{}"};
    const std::vector<std::string> headers = {"Content-Type: text/event-stream"};
    if (member(*parse_json(request.body), "tools").size() == 1) {  // pedrocli's probe
      return {.headers = headers, .body = stream_of({{"tool", "ready"}, {"args", Json::object()}})};
    }
    const std::lock_guard lock(mutex_);
    bodies_.push_back(request.body);
    if (calls_.empty()) return {.status = 500, .body = R"({"error":"the script has ended"})"};
    const std::string call = calls_.front();
    calls_.pop_front();
    if (call == "stall") {
      return {.chunks = {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"},
              .after = AfterReply::kStall};
    }
    return {.headers = headers, .body = stream_of(*parse_json(call))};
  }

  mutable std::mutex mutex_;  // guards the members below
  std::string name_ = "m";
  bool sees_ = false;
  std::deque<std::string> calls_;
  std::vector<std::string> bodies_;
  LoopbackServer server_;
};

}  // namespace pedro
