#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "base/json.h"
#include "support/loopback_server.h"

namespace pedro {

/// Answers like a llama-server with several models, as build 11669 does: its list, its events, and
/// the routes that load and unload. A model loads during the first request for events, or after two
/// more lists if there are none.
class FakeRouter {
 public:
  struct Row {
    std::string id;
    std::string state = "unloaded";
    int exit_code = 0;  // of a load that fails
  };

  LoopbackReply operator()(const LoopbackRequest& request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Json body = parse_json(request.body).ok() ? *parse_json(request.body) : Json();
    if (request.target == "/health") return {.body = R"({"status":"ok"})"};
    if (request.target == "/props") {
      return {.body = R"({"role":"router","default_generation_settings":{"n_ctx":0}})"};
    }
    if (request.target == "/models" || request.target == "/v1/models") return list();
    if (request.target == "/models/sse") return events();
    if (request.target == "/models/load") return change(text_of(body, "model"), "loading");
    if (request.target == "/models/unload") return change(text_of(body, "model"), "unloading");
    if (request.target.find("?") != std::string::npos) return {.body = R"({"n_ctx":7})"};
    return {.status = 404, .body = R"({"error":{"code":404,"message":"File Not Found"}})"};
  }

  std::vector<Row> rows = {{"a"}, {"own/b:Q4 x"}};
  bool has_events = true;
  std::string junk;  // sent before each event

 private:
  LoopbackReply list() {
    if (!has_events && ++lists_ % 3 == 0) finish();
    Json data = Json::array();
    for (const Row& row : rows) {
      Json status = {{"value", row.state == "unloading" ? "loaded" : row.state},
                     {"args", {"/bin/llama-server", "--model", "/m/" + row.id + ".gguf"}}};
      if (row.state == "unloaded" && row.exit_code != 0 && tried_) {
        status["failed"] = true;
        status["exit_code"] = row.exit_code;
      }
      data.push_back({{"id", row.id}, {"aliases", {row.id + "-alias"}}, {"status", status}});
    }
    return {.body = to_line({{"data", data}})};
  }

  LoopbackReply events() {
    if (!has_events) {
      return {.status = 404, .body = R"({"error":{"code":404,"message":"File Not Found"}})"};
    }
    LoopbackReply reply{.headers = {"Content-Type: text/event-stream"},
                        .after = AfterReply::kStall};
    for (const Row& row : rows) {
      if (row.state != "loading" && row.state != "unloading") continue;
      for (const double value : {0.0, 0.5, 0.55, 1.0}) {
        if (row.state == "loading") reply.chunks.push_back(event(row.id, "loading", value));
      }
    }
    for (const std::string& id : finish()) reply.chunks.push_back(event(id, "loaded", -1));
    if (reply.chunks.empty()) reply.chunks = {": none\n\n"};
    return reply;
  }

  std::string event(const std::string& id, const std::string& state, double value) const {
    Json data = {{"status", state}};
    if (value >= 0) {
      data["progress"] = {
          {"stages", {"text_model", "mmproj"}}, {"current", "text_model"}, {"value", value}};
    }
    return junk + "data: " + to_line({{"model", id}, {"event", "status_change"}, {"data", data}}) +
           "\n\n";
  }

  LoopbackReply change(const std::string& id, const std::string& state) {
    for (Row& row : rows) {
      if (row.id != id) continue;
      row.state = state;
      tried_ = true;
      return {.body = R"({"success":true})"};
    }
    return {.status = 404, .body = R"({"error":{"code":404,"message":"model is not found"}})"};
  }

  // Ends all changes. Returns the models that changed.
  std::vector<std::string> finish() {
    std::vector<std::string> changed;
    for (Row& row : rows) {
      if (row.state != "loading" && row.state != "unloading") continue;
      row.state = row.state == "loading" && row.exit_code == 0 ? "loaded" : "unloaded";
      changed.push_back(row.id);
    }
    return changed;
  }

  std::mutex mutex_;
  int lists_ = 0;
  bool tried_ = false;
};

}  // namespace pedro
