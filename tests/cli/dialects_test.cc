// Whole builds with message servers that speak as Ollama, LM Studio, vLLM and llama-server do:
// their routes, their ways to write a call, and their refusals of a prompt for its length.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <memory>

#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "support/loopback_server.h"

namespace pedro {
namespace {

std::string stream_of(const Json& delta, const char* reason, long long prompt_tokens) {
  const Json piece = {{"choices", {{{"index", 0}, {"delta", delta}, {"finish_reason", nullptr}}}}};
  const Json end = {
      {"choices", {{{"index", 0}, {"delta", Json::object()}, {"finish_reason", reason}}}}};
  const Json usage = {{"choices", Json::array()},
                      {"usage", {{"prompt_tokens", prompt_tokens}, {"completion_tokens", 20}}}};
  std::string stream;
  for (const Json& event : {piece, end, usage}) stream += "data: " + to_line(event) + "\n\n";
  return stream + "data: [DONE]\n\n";
}

std::string native_call(const Json& call, long long prompt_tokens) {
  const Json function = {{"name", call["tool"]}, {"arguments", to_line(call["args"])}};
  const Json one = {{"id", "call_1"}, {"type", "function"}, {"function", function}};
  return stream_of({{"role", "assistant"}, {"content", ""}, {"tool_calls", {one}}}, "stop",
                   prompt_tokens);
}

std::string call_in_text(const char* open, const Json& call, const char* close,
                         long long prompt_tokens) {
  const Json written = {{"name", call["tool"]}, {"arguments", call["args"]}};
  return stream_of({{"role", "assistant"}, {"content", open + to_line(written) + close}}, "stop",
                   prompt_tokens);
}

struct Dialect {
  const char* backend;
  std::map<std::string, std::string> routes;  // bodies of GET requests, apart from the list
  std::string models;
  std::string (*write)(const Json& call, long long prompt_tokens);
  LoopbackReply refusal;  // of a prompt for its length
};

std::vector<Dialect> dialects() {
  const std::string plain_list = R"({"object":"list","data":[{"id":"m","object":"model"}]})";
  return {
      {"ollama",
       {{"/api/ps", R"({"models":[{"model":"m","context_length":32768}]})"}},
       plain_list,
       native_call,
       {.status = 400,
        .body =
            R"({"error":{"message":"prompt too long; exceeded max context length by 900 tokens",)"
            R"("type":"invalid_request_error"}})"}},
      {"lmstudio",
       {{"/api/v0/models", R"({"data":[{"id":"m","loaded_context_length":32768}]})"}},
       plain_list,
       [](const Json& call, long long tokens) {
         return call_in_text("[TOOL_REQUEST]", call, "[END_TOOL_REQUEST]", tokens);
       },
       {.headers = {"Content-Type: text/event-stream"},
        .body =
            "event: error\ndata: {\"error\":{\"message\":\"Trying to keep the first 24500 tokens "
            "when context the overflows. However, the model is loaded with context length of "
            "only 24000 tokens, which is not enough.\"}}\n\n"}},
      {"vllm",
       {},
       R"({"data":[{"id":"m","owned_by":"vllm","max_model_len":32768}]})",
       [](const Json& call, long long tokens) {
         return call_in_text("I go on.\n<tool_call>\n", call, "\n</tool_call>", tokens);
       },
       {.status = 400,
        .body =
            R"({"object":"error","message":"This model's maximum context length is 24000 tokens. )"
            R"(However, you requested 24500 tokens.","code":400})"}},
      {"openai",
       {{"/props", R"({"default_generation_settings":{"n_ctx":32768}})"}},
       plain_list,
       native_call,
       {.status = 400, .body = R"({"error":{"message":"something is wrong"}})"}},
  };
}

// Answers with the calls of a script. Refuses one request, by its number.
class DialectServer {
 public:
  DialectServer(Dialect dialect, std::vector<std::string> calls, std::size_t refused)
      : dialect_(std::move(dialect)), calls_(std::move(calls)), refused_(refused) {}

  LoopbackReply operator()(const LoopbackRequest& request) {
    if (request.method == "GET" || request.target != "/v1/chat/completions") {
      const auto route = dialect_.routes.find(request.target);
      if (request.target == "/v1/models") return {.body = dialect_.models};
      if (route != dialect_.routes.end()) return {.body = route->second};
      return {.status = 404, .body = R"({"error":"no such route"})"};
    }
    const auto tokens = static_cast<long long>(request.body.size() / 4);
    const Json body = *parse_json(request.body);
    const LoopbackReply probe{.body =
                                  native_call({{"tool", "ready"}, {"args", Json::object()}}, 9)};
    if (member(body, "tools").size() == 1) return probe;
    sizes.push_back(request.body.size());
    if (sizes.size() == refused_) return dialect_.refusal;
    const std::size_t at = std::min(next_++, calls_.size() - 1);
    return {.headers = {"Content-Type: text/event-stream"},
            .body = dialect_.write(*parse_json(calls_[at]), tokens)};
  }

  std::vector<std::size_t> sizes;  // of the bodies

 private:
  Dialect dialect_;
  std::vector<std::string> calls_;
  std::size_t refused_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("dialects: a build completes in each, after a prompt that is too long") {
  for (const Dialect& dialect : dialects()) {
    CAPTURE(dialect.backend);
    Program bench;
    bench.extra_environment["PEDROCLI_MODEL_TRIES"] = "0";
    bench.folder.write("project/a.txt", "bad\n");
    std::vector<std::string> calls;
    for (const char* name : {"b.txt", "c.txt", "d.txt", "e.txt"}) {
      std::string text;
      for (int line = 0; line < 400; ++line) text += fmt::format("{} has line {}\n", name, line);
      bench.folder.write(std::string("project/") + name, text);
      calls.push_back(call("file", {{"action", "read"}, {"path", name}}));
    }
    bench.commit_project();
    const std::size_t refused = calls.size() + 1;
    calls.insert(calls.end(), {kAnalyzed, kPlanned, kEdit, kDone, kDelivered});
    const auto answer = std::make_shared<DialectServer>(dialect, std::move(calls), refused);
    LoopbackServer server([answer](const LoopbackRequest& request) { return (*answer)(request); });
    const ProcessResult result =
        bench.run({"build", "-description", "Be good", "-backend", dialect.backend, "-model-url",
                   server.url(""), "-test-cmd", "grep -q good a.txt"});
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    REQUIRE(answer->sizes.size() > refused);
    CHECK(answer->sizes[refused] < answer->sizes[refused - 1]);
    CHECK(bench.run({"logs", "-json"}).out.find("context.compacted") != std::string::npos);
  }
}

}  // namespace pedro
