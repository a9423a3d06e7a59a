// Runs the same cases for every Model with a server, on a real llama-server. It supports all three
// protocols: /completion, /v1/chat/completions and /v1/messages. It requires a key.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "chat_format/callable_tools.h"
#include "llm/anthropic_model.h"
#include "llm/llama_server.h"
#include "llm/openai_model.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::string_view kKey = "the-key";  // see CMakeLists.txt
// A call with a required text of 1900 characters, so no reply completes it.
constexpr std::string_view kLongTools = R"([{"name":"f","parameters":{"type":"object",
    "properties":{"a":{"type":"string","minLength":1900}},"required":["a"]}}])";
constexpr std::string_view kTools = R"([{"type":"function","function":{"name":"f","parameters":{
    "type":"object","properties":{"a":{"enum":["x","yy"]}},"required":["a"],
    "additionalProperties":false}}}])";

struct Backend {
  std::string_view name;
  bool names_models = true;  // requires the name of the model
};
constexpr Backend kBackends[] = {{"llamacpp", false}, {"openai"}, {"anthropic"}};

/// A model of one backend, and its dependencies.
struct Bench {
  explicit Bench(std::string_view backend) : Bench(backend, options()) {}

  Bench(std::string_view backend, ServerOptions with,
        GenerationMode mode = GenerationMode::kGrammar) {
    const MessageModel::Settings settings{.mode = mode};
    GenerateEvents events;
    events.on_text = [this](std::string_view text, long long tokens) {
      generated += tokens;
      written += text;
      if (cancel_at > 0 && generated >= cancel_at) cancel.cancel(SIGINT);
    };
    if (backend == "openai") {
      model = std::make_unique<OpenAiModel>(http, with, OpenAiServer::kAny, settings, nullptr,
                                            events, cancel);
    } else if (backend == "anthropic") {
      model = std::make_unique<AnthropicModel>(http, with, settings, events, cancel);
    } else {
      model = std::make_unique<LlamaServer>(http, with,
                                            LlamaServer::Settings{.steering = Steering::kSingle},
                                            vocabularies, events, clock, cancel);
    }
  }

  static ServerOptions options() {
    const char* url = std::getenv("PEDROCLI_SERVER_URL");
    REQUIRE(url != nullptr);
    ServerOptions options;
    options.url = url;
    options.api_key = kKey;
    return options;
  }

  ModelInfo open() {
    const Result<ModelInfo> info = model->open();
    REQUIRE_MESSAGE(info.ok(), info.error().message);
    return *info;
  }

  Result<Reply> call(const ChatRequest& chat, const CallableTools& tools, long long max_tokens) {
    return model->generate({.chat = chat,
                            .calls = tools.branches(),
                            .mode = GenerationMode::kGrammar,
                            .max_tokens = max_tokens});
  }

  CurlHttp http;
  RealClock clock;
  CancelToken cancel;
  RealFileSystem files;
  VocabularyStore vocabularies{files, {}, ModelRegistry::builtin()};
  long long generated = 0;
  std::string written;
  long long cancel_at = 0;
  std::unique_ptr<Model> model;
};

std::vector<DeclaredTool> declared(std::string_view tools) {
  const Json tool = (*parse_json(tools))[0];
  const Json& function = tool.contains("function") ? tool["function"] : tool;
  return {{"f", "", to_line(function["parameters"])}};
}

ChatRequest conversation(std::string text) {
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "You answer in one word."),
                   text_message(Role::kUser, std::move(text))};
  return chat;
}

Error failure_of(Result<ModelInfo> info) {
  REQUIRE_FALSE(info.ok());
  return info.error();
}

}  // namespace

TEST_CASE("backends: the model, a cut reply, its cost, and its cached tokens") {
  const auto tools = CallableTools::read(kLongTools);
  REQUIRE(tools.ok());
  for (const Backend& backend : kBackends) {
    CAPTURE(backend.name);
    Bench bench(backend.name);
    const ModelInfo info = bench.open();
    CHECK(info.backend == backend.name);
    CHECK(info.name == "model.gguf");
    CHECK(info.context_tokens == 4096);
    CHECK(info.has_tools);
    CHECK(info.can.grammar == !backend.names_models);

    ChatRequest chat = conversation("Say yes. " + std::string(backend.name));
    chat.tools = declared(kLongTools);
    const Result<Reply> first = bench.call(chat, *tools, 12);
    REQUIRE_MESSAGE(first.ok(), first.error().message);
    CHECK(first->stop == StopReason::kLimit);
    CHECK_FALSE(first->text.empty());
    CHECK(first->parts.empty());
    // A call cut by the limit is continued a few times.
    CHECK(first->usage.generated_tokens == (backend.names_models ? 12 : 4 * 12));
    CHECK(bench.generated > 0);
    CHECK_FALSE(bench.written.empty());
    CHECK(first->usage.prompt_tokens > 10);

    chat.messages.push_back(text_message(Role::kAssistant, first->text));
    chat.messages.push_back(text_message(Role::kUser, "Once more."));
    const Result<Reply> second = bench.call(chat, *tools, 12);
    REQUIRE_MESSAGE(second.ok(), second.error().message);
    CHECK(second->usage.prompt_tokens > first->usage.prompt_tokens + 12);
    // The first prompt is cached. A client that tokenizes text again loses some of the reply's
    // tokens.
    CHECK(second->usage.cached_tokens >= first->usage.prompt_tokens - 10);
    fmt::print("{:<10} {} of {} tokens cached\n", backend.name, second->usage.cached_tokens,
               second->usage.prompt_tokens);
  }
}

TEST_CASE("backends: a prompt's size is known before sending, also after large removals") {
  const auto tools = CallableTools::read(kTools);
  REQUIRE(tools.ok());
  for (const Backend& backend : kBackends) {
    CAPTURE(backend.name);
    Bench bench(backend.name);
    (void)bench.open();
    ChatRequest chat = conversation("Say no. " + std::string(backend.name));
    chat.tools = declared(kTools);
    const auto count = [&] {
      const GenerateRequest request{
          .chat = chat, .calls = tools->branches(), .mode = GenerationMode::kGrammar};
      const auto counted = bench.model->count_prompt(request);
      REQUIRE_MESSAGE(counted.ok(), (counted.ok() ? "" : counted.error().message));
      return *counted;
    };
    const auto first = count();
    const Result<Reply> reply = bench.call(chat, *tools, 40);
    REQUIRE_MESSAGE(reply.ok(), (reply.ok() ? "" : reply.error().message));
    REQUIRE(first.has_value());
    CHECK(*first == reply->usage.prompt_tokens);

    chat.messages.push_back(text_message(Role::kAssistant, reply->text));
    chat.messages.push_back(text_message(Role::kUser, "Once more."));
    chat.messages.erase(chat.messages.begin() + 1);
    chat.messages.erase(chat.messages.begin() + 1);
    const std::vector<std::size_t> origins = {0, Model::kChanged};
    REQUIRE(bench.model->compacted(chat, origins).ok());
    const auto after = count();
    const Result<Reply> next = bench.call(chat, *tools, 40);
    REQUIRE_MESSAGE(next.ok(), (next.ok() ? "" : next.error().message));
    REQUIRE(after.has_value());
    CHECK(*after == next->usage.prompt_tokens);
    fmt::print("{:<10} {} and {} tokens, as the server counts them\n", backend.name, *first,
               *after);
  }
}

TEST_CASE("backends: a schema that the server is given holds replies of chat completions") {
  const auto tools = CallableTools::read(kTools);
  REQUIRE(tools.ok());
  Bench bench("openai", Bench::options(), GenerationMode::kSchema);
  const ModelInfo info = bench.open();
  CHECK(info.can.json_schema);
  CHECK_FALSE(info.has_tools);
  ChatRequest chat = conversation("Say yes.");
  for (int round = 1; round <= 5; ++round) {
    const Result<Reply> reply = bench.model->generate({.chat = chat,
                                                       .calls = tools->branches(),
                                                       .mode = GenerationMode::kSchema,
                                                       .temperature = 1});
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CAPTURE(reply->text);
    REQUIRE(reply->parts.size() == 1);
    const auto* call = std::get_if<ParsedCall>(&reply->parts[0]);
    REQUIRE(call != nullptr);
    CHECK(call->tool == "f");
    CHECK((text_of(call->args, "a") == "x" || text_of(call->args, "a") == "yy"));
    chat.messages.push_back(text_message(Role::kAssistant, reply->text));
    chat.messages.push_back(text_message(Role::kUser, "Once more."));
  }
}

TEST_CASE("backends: a reply is cancelled while it comes") {
  const auto tools = CallableTools::read(kLongTools);
  REQUIRE(tools.ok());
  for (const Backend& backend : kBackends) {
    CAPTURE(backend.name);
    Bench bench(backend.name);
    bench.open();
    ChatRequest chat = conversation("Say yes.");
    chat.tools = declared(kLongTools);
    bench.cancel_at = 3;
    const Result<Reply> reply = bench.call(chat, *tools, 3000);
    REQUIRE_FALSE(reply.ok());
    CHECK(reply.error().kind == ErrorKind::kInterrupted);
    CHECK(bench.generated >= 3);
    CHECK(bench.generated < 2900);
  }
}

TEST_CASE("backends: a wrong key, model or address names the setting to change") {
  for (const Backend& backend : kBackends) {
    CAPTURE(backend.name);
    ServerOptions options = Bench::options();
    options.api_key = "another";
    options.key_variable = "MY_KEY";
    const Error key = failure_of(Bench(backend.name, options).model->open());
    CHECK(key.kind == ErrorKind::kConfig);
    CHECK(key.message.find("the server answered 401: Invalid API Key; put the server's key into "
                           "MY_KEY") != std::string::npos);
    CHECK(key.message.find("another") == std::string::npos);

    options = Bench::options();
    options.url += "/nowhere";
    const Error address = failure_of(Bench(backend.name, options).model->open());
    CHECK(address.kind == ErrorKind::kConfig);
    CHECK(address.message.find("the server answered 404: File Not Found; ") != std::string::npos);

    if (!backend.names_models) continue;  // such a server has one model with any name
    options = Bench::options();
    options.model = "gpt-9";
    const Error model = failure_of(Bench(backend.name, options).model->open());
    CHECK(model.message.find(": the server has no model 'gpt-9': it has /") != std::string::npos);
    CHECK(model.message.ends_with("/model.gguf; name one with -model or model.model_name"));
    options.model = "model.gguf";
    Bench(backend.name, options).open();
  }
}

TEST_CASE("backends: a conversation that is longer than the context is a limit") {
  // Three bytes are three tokens, more than the estimate.
  std::string text;
  for (int i = 0; i < 2500; ++i) text += "\xEA\x99\xAE";
  for (const Backend& backend : kBackends) {
    CAPTURE(backend.name);
    Bench bench(backend.name);
    bench.open();
    const ChatRequest chat = conversation(text);
    const Result<Reply> reply = bench.model->generate({.chat = chat, .max_tokens = 8});
    REQUIRE_FALSE(reply.ok());
    CHECK(reply.error().kind == ErrorKind::kLimit);
    CHECK(reply.error().message.find("start the server with a larger") != std::string::npos);
    fmt::print("{}\n", reply.error().message);
  }
}

// Needs a server whose model makes calls: see with-calls.
TEST_CASE("calls: a tool is called, its result is read, and so on" * doctest::skip()) {
  const auto tools = CallableTools::read(kTools);
  REQUIRE(tools.ok());
  for (const Backend& backend : kBackends) {
    CAPTURE(backend.name);
    Bench bench(backend.name);
    const ModelInfo info = bench.open();
    CHECK(info.has_tools);
    if (backend.names_models) CHECK(info.tools_why == "called when required");

    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "Hi")};
    chat.tools = declared(kTools);
    long long prompt_tokens = 0;
    for (int round = 1; round <= 3; ++round) {
      CAPTURE(round);
      const Result<Reply> reply = bench.model->generate({.chat = chat,
                                                         .calls = tools->branches(),
                                                         .mode = GenerationMode::kGrammar,
                                                         .temperature = 0,
                                                         .max_tokens = 300});
      REQUIRE_MESSAGE(reply.ok(), reply.error().message);
      CHECK(reply->stop == StopReason::kEnd);
      CHECK(reply->usage.prompt_tokens > prompt_tokens);
      if (round > 1) CHECK(reply->usage.cached_tokens > prompt_tokens / 2);
      prompt_tokens = reply->usage.prompt_tokens;
      REQUIRE_FALSE(reply->parts.empty());
      ChatMessage said;
      said.role = Role::kAssistant;
      std::vector<ChatMessage> results;
      for (const CallPart& part : reply->parts) {
        const auto* call = std::get_if<ParsedCall>(&part);
        REQUIRE_MESSAGE(call != nullptr, to_string(std::get<RejectedText>(part).problem));
        CHECK(call->tool == "f");
        CHECK((text_of(call->args, "a") == "x" || text_of(call->args, "a") == "yy"));
        const std::string id = call->id.empty() ? fmt::format("call{:05}", round) : call->id;
        said.calls.push_back({id, call->tool, to_line(call->args)});
        ChatMessage result = text_message(Role::kTool, "done");
        result.call_id = id;
        result.name = call->tool;
        results.push_back(std::move(result));
      }
      chat.messages.push_back(std::move(said));
      for (ChatMessage& result : results) chat.messages.push_back(std::move(result));
    }
  }
}

// Uses the same server: the end of the turn is the likeliest token.
TEST_CASE("calls: a reply that ends by itself, without a call" * doctest::skip()) {
  for (const Backend& backend : kBackends) {
    CAPTURE(backend.name);
    Bench bench(backend.name);
    bench.open();
    const ChatRequest chat = conversation("Say nothing.");
    const Result<Reply> reply = bench.model->generate({.chat = chat, .max_tokens = 50});
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK(reply->stop == StopReason::kEnd);
    CHECK(reply->usage.generated_tokens < 50);
    CHECK(reply->parts.empty());
  }
}

}  // namespace pedro
