// Unusual replies of message servers (tests/data/replies, one file per kind of server). Each must
// become the intended call, after the corrections that the executor makes.
#include <doctest/doctest.h>

#include <map>
#include <memory>

#include "agent/prompt_bench.h"
#include "base/text.h"
#include "llm/anthropic_model.h"
#include "llm/openai_model.h"
#include "support/loopback_server.h"
#include "support/read_file.h"

namespace pedro {
namespace {

constexpr std::size_t kLeastReplies = 12;

std::string stream_of(const Json& row) {
  if (row.contains("raw")) return text_of(row, "raw");
  std::string stream;
  for (const Json& event : row["events"]) stream += "data: " + to_line(event) + "\n\n";
  return stream;
}

// A server that gives the same reply to every request, and its model.
struct ReplyServer {
  explicit ReplyServer(std::string_view kind) : kind_(kind) {
    options_.url = server_.url("");
    options_.retry.max_attempts = 1;
  }

  std::unique_ptr<Model> model() {
    if (kind_ == "anthropic") {
      return std::make_unique<AnthropicModel>(http_, options_, MessageModel::Settings{},
                                              GenerateEvents{}, cancel_);
    }
    return std::make_unique<OpenAiModel>(http_, options_, server_kind(), MessageModel::Settings{},
                                         OpenAiModel::FindTokenizer{}, GenerateEvents{}, cancel_);
  }

  std::string stream;

 private:
  OpenAiServer server_kind() const {
    static const std::map<std::string, OpenAiServer, std::less<>> kKinds = {
        {"ollama", OpenAiServer::kOllama},
        {"vllm", OpenAiServer::kVllm},
        {"lmstudio", OpenAiServer::kLmStudio}};
    const auto found = kKinds.find(kind_);
    return found == kKinds.end() ? OpenAiServer::kAny : found->second;
  }

  LoopbackReply answer(const LoopbackRequest& request) const {
    if (request.method == "GET" && request.target.starts_with("/v1/models")) {
      return {.body = R"({"data":[{"id":"m","max_model_len":9000}]})"};
    }
    if (request.method == "GET") return {.status = 404, .body = "{}"};
    return {.headers = {"Content-Type: text/event-stream"}, .body = stream};
  }

  std::string kind_;
  LoopbackServer server_{[this](const LoopbackRequest& request) { return answer(request); }};
  CurlHttp http_;
  CancelToken cancel_;
  ServerOptions options_;
};

const Phase& phase_named(const Workflow& workflow, std::string_view name) {
  const auto found = std::find_if(workflow.phases.begin(), workflow.phases.end(),
                                  [&](const Phase& phase) { return phase.name == name; });
  REQUIRE(found != workflow.phases.end());
  return *found;
}

}  // namespace

TEST_CASE("message replies: unusual replies of each server are the intended calls") {
  PromptBench bench;
  const auto workflow = load_workflow(bench.library, bench.registry, "build");
  REQUIRE(workflow.ok());
  for (const char* kind : {"openai", "anthropic", "vllm", "ollama", "lmstudio", "llama_server"}) {
    const std::string rows = read_file(std::string(TEST_DATA "/replies/") + kind + ".jsonl");
    const std::vector<std::string_view> lines = split_lines(rows);
    CHECK(lines.size() >= kLeastReplies);
    for (const std::string_view line : lines) {
      const Json row = *parse_json(line);
      const std::string name = std::string(kind) + ": " + text_of(row, "name");
      CAPTURE(name);
      const std::string tool = text_of(row["call"], "tool");
      const bool ends = tool == kPhaseComplete;
      const ToolSet tools(bench.registry, phase_named(*workflow, ends ? "analyze" : "implement"),
                          bench.feedback, ToolStyle::kDeclared);
      ReplyServer server(kind);
      server.stream = stream_of(row);
      const std::unique_ptr<Model> model = server.model();
      REQUIRE(model->open().ok());
      ChatRequest chat;
      chat.messages = {text_message(Role::kUser, "Go on.")};
      chat.tools = {{"file", "", "{}"}};
      const Result<Reply> reply = model->generate({.chat = chat, .calls = tools.calls()});
      REQUIRE_MESSAGE(reply.ok(), reply.error().message);
      REQUIRE(reply->stop == StopReason::kEnd);
      REQUIRE(reply->parts.size() == 1);
      const auto* call = std::get_if<ParsedCall>(&reply->parts.front());
      REQUIRE(call != nullptr);
      CHECK(call->tool == tool);
      const CheckedArgs checked =
          ends ? tools.check_finish(call->args) : tools.check_call({"", call->tool, call->args});
      CHECK(checked.problem == "");
      CHECK(checked.args == row["call"]["args"]);
    }
  }
}

}  // namespace pedro
