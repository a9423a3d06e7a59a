// Tests models with chat completions and messages against a scripted server. Covers faulty servers,
// and servers that are not available. tests/llama uses a real one.
#include "llm/message_model.h"

#include <doctest/doctest.h>

#include <memory>

#include "base/text.h"
#include "chat_format/callable_tools.h"
#include "llm/anthropic_model.h"
#include "llm/openai_model.h"
#include "schema_to_gbnf/call_schema.h"
#include "support/loopback_server.h"
#include "support/tiny_vocabulary.h"

namespace pedro {
namespace {

constexpr const char* kOpenAiReply =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"}}]}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":50,\"completion_tokens\":2,"
    "\"prompt_tokens_details\":{\"cached_tokens\":7}}}\n\n"
    "data: [DONE]\n\n";
constexpr const char* kAnthropicReply =
    "data: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":43,"
    "\"cache_read_input_tokens\":7}}}\n\n"
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\","
    "\"text\":\"hi\"}}\n\n"
    "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
    "\"usage\":{\"output_tokens\":2}}\n\n"
    "data: {\"type\":\"message_stop\"}\n\n";

constexpr const char* kModels = R"({"data":[{"id":"m","max_model_len":2000}]})";
constexpr const char* kLlamaModels =
    R"({"data":[{"id":"m","max_model_len":2000,"owned_by":"llamacpp"}]})";

enum class Api { kOpenAi, kAnthropic };

// A server defined by its routes, "METHOD /path" without the query; other routes return 404. A
// route returns its replies in order, then repeats the last one.
struct Routes {
  std::map<std::string, std::vector<LoopbackReply>> replies;
  std::map<std::string, std::size_t> asked = {};

  LoopbackReply operator()(const LoopbackRequest& request) {
    const std::string route =
        request.method + " " + request.target.substr(0, request.target.find('?'));
    const auto found = replies.find(route);
    if (found == replies.end()) return {.status = 404, .body = "404 page not found"};
    const std::size_t at = std::min(asked[route]++, found->second.size() - 1);
    return found->second[at];
  }
};

std::string reply_route(Api api) {
  return api == Api::kOpenAi ? "POST /v1/chat/completions" : "POST /v1/messages";
}

LoopbackReply good_reply(Api api) {
  return {.headers = {"Content-Type: text/event-stream"},
          .body = api == Api::kOpenAi ? kOpenAiReply : kAnthropicReply};
}

// Inserts a good answer to the tool probe before the replies.
Routes with_replies(Api api, std::vector<LoopbackReply> replies) {
  replies.insert(replies.begin(), good_reply(api));
  return {{{"GET /v1/models", {{.body = kModels}}}, {reply_route(api), std::move(replies)}}};
}

struct MessageModelBench {
  explicit MessageModelBench(Routes routes, std::string path = "")
      : server([routes = std::make_shared<Routes>(std::move(routes))](
                   const LoopbackRequest& request) { return (*routes)(request); }) {
    options.url = server.url(path);
    options.retry.wait = [this](double seconds, const CancelToken&) { waited_s += seconds; };
    options.idle_timeout_s = 1;
    options.on_retry = [this](std::string_view notice) { notices.emplace_back(notice); };
    options.on_notice = [this](std::string_view notice) { waited_for.emplace_back(notice); };
  }

  std::unique_ptr<Model> model(Api api, OpenAiServer kind = OpenAiServer::kAny,
                               long long context = 0) {
    if (api == Api::kAnthropic) {
      return std::make_unique<AnthropicModel>(http, options, settings(context), GenerateEvents{},
                                              cancel);
    }
    return std::make_unique<OpenAiModel>(http, options, kind, settings(context), find_tokenizer,
                                         events(), cancel);
  }

  GenerateEvents events() {
    GenerateEvents events;
    events.on_notice = [this](std::string_view notice) { told.emplace_back(notice); };
    return events;
  }

  MessageModel::Settings settings(long long context) const {
    return {context, mode, {}, clock, [](std::string_view model) {
              return ModelRegistry::builtin().model(model);
            }};
  }

  Result<Reply> generate(Api api, std::string text = "hello") {
    const std::unique_ptr<Model> opened = model(api);
    const Result<ModelInfo> info = opened->open();
    if (!info) return info.error();
    ChatRequest chat;
    chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, std::move(text))};
    chat.tools = {{"f", "d", R"({"type":"object","properties":{}})"}};
    return opened->generate({.chat = chat,
                             .calls = calls,
                             .mode = mode,
                             .biases = biases,
                             .ends_at_loop = ends_at_loop});
  }

  // Returns the message without the server's varying address.
  std::string shown(const Error& error) const {
    return replace_all(error.message, server.url(""), "");
  }

  Json last_body() const { return *parse_json(server.requests().back().body); }

  LoopbackServer server;
  CurlHttp http;
  CancelToken cancel;
  ServerOptions options;
  std::span<const CallBranch> calls;
  std::vector<BiasedText> biases;
  OpenAiModel::FindTokenizer find_tokenizer;
  std::vector<std::string> told;  // the notices of the model itself
  GenerationMode mode = GenerationMode::kGrammar;
  bool ends_at_loop = false;
  const Clock* clock = nullptr;
  double waited_s = 0;
  std::vector<std::string> notices;     // about repeated requests
  std::vector<std::string> waited_for;  // reasons to wait that are not errors
};

}  // namespace

TEST_CASE("message models: the request and the reply") {
  for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
    CAPTURE(static_cast<int>(api));
    MessageModelBench bench(with_replies(api, {good_reply(api)}), "/v1/");
    bench.options.api_key = "secret";
    const Result<Reply> reply = bench.generate(api);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK(reply->text == "hi");
    CHECK(reply->stop == StopReason::kEnd);
    CHECK(reply->parts.empty());
    CHECK(reply->usage.prompt_tokens == 50);
    CHECK(reply->usage.cached_tokens == 7);
    CHECK(reply->usage.generated_tokens == 2);
    CHECK(reply->expected_cached_tokens == -1);
    auto headers = bench.server.requests().back().headers;
    const Json body = bench.last_body();
    CHECK(text_of(body, "model") == "m");
    CHECK(truth_of(body, "stream"));
    if (api == Api::kOpenAi) {
      CHECK(headers["authorization"] == "Bearer secret");
      CHECK(text_of(body, "tool_choice") == "required");
      CHECK(number_of(body, "max_tokens") == 1952);  // the available room
      CHECK(truth_of(member(body, "stream_options"), "include_usage"));
    } else {
      CHECK(headers["x-api-key"] == "secret");
      CHECK(headers["anthropic-version"] == "2023-06-01");
      CHECK(headers["authorization"].empty());
      CHECK(to_line(member(body, "tool_choice")) == R"({"type":"any"})");
      CHECK(to_line(member(body, "thinking")) == R"({"type":"disabled"})");
      const std::string mark = R"("cache_control":{"type":"ephemeral"})";
      CHECK(to_line(member(body, "system")).ends_with(mark + "}]"));
      CHECK(to_line(member(body, "tools")).ends_with(mark + "}]"));
      CHECK(to_line(member(body, "messages")).ends_with(mark + "}]}]"));
    }
  }
}

// Advances by a millisecond with each reading.
struct CountingClock : Clock {
  long long now_ms() const override { return ++looks; }
  long long ticks_ms() const override { return ++looks; }
  mutable long long looks = 0;
};

TEST_CASE("message models: measures the duration if the server does not report it") {
  for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
    CAPTURE(static_cast<int>(api));
    const CountingClock clock;
    MessageModelBench bench(with_replies(api, {good_reply(api)}));
    bench.clock = &clock;
    const Result<Reply> reply = bench.generate(api);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK(reply->usage.prompt_ms == 1);
    CHECK(reply->usage.generate_ms == 1);
  }
  const CountingClock clock;
  LoopbackReply timed = good_reply(Api::kOpenAi);
  timed.body = replace_all(timed.body, R"("choices":[],)",
                           R"("choices":[],"timings":{"prompt_ms":12.5,"predicted_ms":2},)");
  MessageModelBench bench(with_replies(Api::kOpenAi, {timed}));
  bench.clock = &clock;
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->usage.prompt_ms == 12.5);
  CHECK(reply->usage.generate_ms == 2);
}

TEST_CASE("message models: an error that repeats the key does so without it") {
  MessageModelBench bench(with_replies(
      Api::kOpenAi,
      {{.status = 401, .body = R"({"error":{"message":"Incorrect API key: k-1!","code":"x"}})"}}));
  bench.options.api_key = "k-1!";
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.error().message.find("k-1!") == std::string::npos);
  CHECK(reply.error().message.find("Incorrect API key: [masked: the server's key]") !=
        std::string::npos);
}

TEST_CASE("message models: errors name the next step, and nothing is half done") {
  struct Row {
    const char* name;
    Api api;
    LoopbackReply reply;
    ErrorKind kind;
    const char* message;
  };
  const Row rows[] = {
      {"a key",
       Api::kOpenAi,
       {.status = 401, .body = R"({"error":{"message":"Incorrect API key","code":"invalid"}})"},
       ErrorKind::kConfig,
       "/v1/chat/completions: the server answered 401: Incorrect API key; put the server's key "
       "into PEDROCLI_API_KEY"},
      {"a permission",
       Api::kAnthropic,
       {.status = 403, .body = R"({"type":"error","error":{"type":"p","message":"not yours"}})"},
       ErrorKind::kConfig,
       "/v1/messages: the server answered 403: not yours; put the server's key into "
       "PEDROCLI_API_KEY"},
      {"a model that is gone",
       Api::kOpenAi,
       {.status = 404, .body = R"({"error":"model 'm' not found"})"},
       ErrorKind::kConfig,
       "/v1/chat/completions: the server answered 404: model 'm' not found; are model.server_url "
       "and model.model_name right?"},
      {"OpenAI's word for a context",
       Api::kOpenAi,
       {.status = 400, .body = R"({"error":{"message":"L","code":"context_length_exceeded"}})"},
       ErrorKind::kLimit,
       "/v1/chat/completions: the conversation is longer than the model's context: L; start the "
       "server with a larger one, or shorten the task"},
      {"vLLM's sentence for it",
       Api::kOpenAi,
       {.status = 400,
        .body =
            R"({"object":"error","message":"This model's maximum context length is 9","code":400})"},
       ErrorKind::kLimit,
       "/v1/chat/completions: the conversation is longer than the model's context: This model's "
       "maximum context length is 9; start the server with a larger one, or shorten the task"},
      {"Anthropic's sentence for it",
       Api::kAnthropic,
       {.status = 400,
        .body = R"({"type":"error","error":{"type":"invalid_request_error",)"
                R"("message":"prompt is too long: 9 tokens > 8 maximum"}})"},
       ErrorKind::kLimit,
       "/v1/messages: the conversation is longer than the model's context: prompt is too long: 9 "
       "tokens > 8 maximum; start the server with a larger one, or shorten the task"},
      {"a refusal that no other body would help",
       Api::kOpenAi,
       {.status = 400, .body = R"({"error":{"message":"no","param":"messages"}})"},
       ErrorKind::kModel,
       "/v1/chat/completions: the server answered 400: no"},
      {"a quota",
       Api::kOpenAi,
       {.status = 429, .body = R"({"detail":"slow down"})"},
       ErrorKind::kModel,
       "/v1/chat/completions: the server answered 429: slow down; too many requests, or the quota "
       "is used up: try again later"},
      {"a stream without an end",
       Api::kOpenAi,
       {.body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\"}}]}\n\n"},
       ErrorKind::kModel,
       "/v1/chat/completions: the reply is cut off: 1 events, and none has a \"finish_reason\""},
      {"a stream that is no JSON",
       Api::kAnthropic,
       {.body = "data: <html>\n\n"},
       ErrorKind::kModel,
       "/v1/messages: the reply is cut off: 1 events, and none has a \"stop_reason\""},
      {"a quota that is used up",
       Api::kOpenAi,
       {.status = 429, .body = R"({"error":{"message":"m","code":"insufficient_quota"}})"},
       ErrorKind::kModel,
       "/v1/chat/completions: the server answered 402: m; the account has no credit left"},
      {"a key, with another status",
       Api::kOpenAi,
       {.status = 400, .body = R"([{"error":{"code":400,"message":"API key not valid."}}])"},
       ErrorKind::kConfig,
       "/v1/chat/completions: the server answered 401: API key not valid.; put the server's key "
       "into PEDROCLI_API_KEY"},
      {"a page",
       Api::kAnthropic,
       {.body = "<html></html>"},
       ErrorKind::kModel,
       "/v1/messages: expected an object, or events with \"data:\""},
      {"a server that is overloaded when it has begun",
       Api::kAnthropic,
       {.body = "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                "\"message\":\"Overloaded\"}}\n\n"},
       ErrorKind::kModel,
       "/v1/messages: event 1: the server reports: overloaded_error: Overloaded"},
      {"a connection that breaks",
       Api::kOpenAi,
       {.body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\"}}]}\n\n",
        .after = AfterReply::kReset},
       ErrorKind::kModel,
       "/v1/chat/completions: the connection broke"},
      {"a server that falls silent",
       Api::kOpenAi,
       {.chunks = {"data: {\"choices\":[]}\n\n"}, .after = AfterReply::kStall},
       ErrorKind::kModel,
       "/v1/chat/completions: nothing arrived for 1 s; is the server stuck? see its log"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    MessageModelBench bench(with_replies(row.api, {row.reply}));
    const Result<Reply> reply = bench.generate(row.api);
    REQUIRE_FALSE(reply.ok());
    CHECK(reply.error().kind == row.kind);
    const std::string message = bench.shown(reply.error());
    CHECK_MESSAGE(message.starts_with(row.message), message);
  }
}

TEST_CASE("message models: a reply that breaks off or cannot be read is asked for once more") {
  const LoopbackReply spoiled[] = {
      {.body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\"}}]}\n\n"},
      {.body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\"}}]}\n\n",
       .after = AfterReply::kReset},
      {.body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xff\"}}]}\n\n"},
      {.body = "<html></html>"},
      {.body = "data: {\"error\":{\"message\":\"out of luck\"}}\n\n"},
  };
  for (const LoopbackReply& reply : spoiled) {
    CAPTURE(reply.body);
    const LoopbackReply good = good_reply(Api::kOpenAi);
    MessageModelBench bench(with_replies(Api::kOpenAi, {reply, good}));
    const Result<Reply> answer = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(answer.ok(), answer.error().message);
    CHECK(answer->text == "hi");
    CHECK(bench.waited_s == 0.5);
    REQUIRE(bench.notices.size() == 1);
    CHECK_MESSAGE(bench.notices[0].ends_with("; asking again"), bench.notices[0]);

    MessageModelBench twice(with_replies(Api::kOpenAi, {reply, reply, good}));
    CHECK_FALSE(twice.generate(Api::kOpenAi).ok());
    CHECK(twice.notices.size() == 1);

    MessageModelBench never(with_replies(Api::kOpenAi, {reply, good}));
    never.options.retry.max_attempts = 1;
    CHECK_FALSE(never.generate(Api::kOpenAi).ok());
    CHECK(never.notices.empty());
  }
}

TEST_CASE("message models: a reply that the server cannot read is the model's mistake") {
  const LoopbackReply malformed{
      .headers = {"Content-Type: text/event-stream"},
      .body =
          "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hm\",\"tool_calls\":[{"
          "\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n"
          "data: {\"error\":{\"code\":500,\"message\":\"The model produced output that does not "
          "match the expected peg-native format\",\"type\":\"server_error\"}}\n\n"};
  MessageModelBench bench(with_replies(Api::kOpenAi, {malformed}));
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->text == "hm");
  CHECK(reply->stop == StopReason::kEnd);
  CHECK(reply->parts.empty());
  CHECK(bench.notices.empty());  // it is not asked for again
}

TEST_CASE("message models: an endless reply is given up") {
  const std::string event = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\"}}]}\n\n";
  MessageModelBench bench(
      with_replies(Api::kOpenAi, {{.chunks = std::vector<std::string>(2000, event)}}));
  bench.options.max_reply_bytes = 50'000;
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_FALSE(reply.ok());
  CHECK(bench.shown(reply.error()) ==
        "/v1/chat/completions: the answer exceeds the limit of 50000 bytes");
  CHECK(bench.notices.empty());
}

TEST_CASE("message models: a server that fails for a while is asked again") {
  for (const int status : {429, 500, 502, 503, 504, 529}) {
    CAPTURE(status);
    for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
      MessageModelBench bench(
          with_replies(api, {{.status = status, .body = "{}"},
                             {.status = status, .headers = {"Retry-After: 7"}, .body = "{}"},
                             good_reply(api)}));
      const Result<Reply> reply = bench.generate(api);
      CHECK_MESSAGE(reply.ok(), reply.error().message);
      CHECK(bench.waited_s == 7.5);
      CHECK(bench.notices.size() == 2);
    }
  }
}

TEST_CASE("message models: a server that always fails is waited for once, not for each guess") {
  MessageModelBench bench(with_replies(Api::kOpenAi, {{.status = 500, .body = "{}"}}));
  CHECK_FALSE(bench.generate(Api::kOpenAi).ok());
  CHECK(bench.waited_s == 15.5);
  CHECK(bench.server.requests().size() == 10);  // the list, the probe, six attempts, two guesses
}

TEST_CASE("message models: a refusal for length is not asked again, whatever its status") {
  const std::string body =
      R"({"detail":{"msg":"Prompt is too large for the max context size of 9"}})";
  for (const int status : {500, 502, 503}) {
    CAPTURE(status);
    MessageModelBench bench(with_replies(Api::kOpenAi, {{.status = status, .body = body}}));
    const Result<Reply> reply = bench.generate(Api::kOpenAi);
    REQUIRE_FALSE(reply.ok());
    CHECK(reply.error().overflow.has_value());
    CHECK(bench.waited_s == 0);
  }
}

TEST_CASE("message models: an error names the address of a redirect") {
  MessageModelBench bench(with_replies(
      Api::kOpenAi, {{.status = 307, .headers = {"Location: https://me:pw@b.test/v1"}}}));
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_FALSE(reply.ok());
  CHECK(bench.shown(reply.error()) ==
        "/v1/chat/completions: the server answered 307: the address moved to https://b.test/v1");
}

TEST_CASE("message models: a model that is loading is waited for, which is no failure") {
  const std::string loading =
      R"({"error":{"message":"Loading model","type":"unavailable_error","code":503}})";
  for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
    MessageModelBench bench(with_replies(api, {{.status = 503, .body = loading}, good_reply(api)}));
    REQUIRE(bench.generate(api).ok());
    CHECK(bench.notices.empty());
    CHECK(bench.waited_for ==
          std::vector<std::string>{"the model is loading; trying again in 1.0 s"});
  }
}

TEST_CASE("message models: a count from the server is exact") {
  for (const std::string answer : {R"({"input_tokens":321})", "{}"}) {
    CAPTURE(answer);
    const bool counts = answer != "{}";
    Routes routes = with_replies(Api::kAnthropic, {good_reply(Api::kAnthropic)});
    routes.replies["POST /v1/messages/count_tokens"] = {{.body = answer}};
    MessageModelBench bench(std::move(routes));
    const std::unique_ptr<Model> model = bench.model(Api::kAnthropic);
    REQUIRE(model->open().ok());
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "hello")};
    const auto counted = model->count_prompt({.chat = chat});
    REQUIRE(counted.ok());
    CHECK(model->counts_exactly() == counts);
    if (counts) CHECK(*counted == 321);
  }
}

TEST_CASE("message models: a count that fails is reported once, and estimated") {
  Routes routes = with_replies(Api::kOpenAi, {good_reply(Api::kOpenAi)});
  routes.replies["POST /v1/chat/completions/input_tokens"] = {{.status = 400, .body = "broken"}};
  MessageModelBench bench(std::move(routes));
  const std::unique_ptr<Model> model = bench.model(Api::kOpenAi);
  REQUIRE(model->open().ok());
  ChatRequest chat;
  chat.messages = {text_message(Role::kUser, "hello")};
  for (int i = 0; i < 2; ++i) {
    const auto counted = model->count_prompt({.chat = chat});
    REQUIRE(counted.ok());
    CHECK_FALSE(counted->has_value());
  }
  REQUIRE(bench.told.size() == 1);
  CHECK(replace_all(bench.told[0], bench.server.url(""), "") ==
        "tokens are estimated: /v1/chat/completions/input_tokens: the server answered 400: broken");
}

TEST_CASE("message models: a requested schema constrains a reply if the server supports it") {
  const auto says = [](const char* content) {
    const Json event = {{"choices", {{{"index", 0}, {"delta", {{"content", content}}}}}}};
    const Json end = {{"choices", {{{"index", 0}, {"finish_reason", "stop"}}}}};
    return LoopbackReply{.body = "data: " + to_line(event) + "\n\ndata: " + to_line(end) +
                                 "\n\ndata: [DONE]\n\n"};
  };
  const auto tools =
      CallableTools::read(R"([{"name":"f","parameters":{"type":"object","properties":{}}}])");
  REQUIRE(tools.ok());
  const LoopbackReply obeyed = says(R"({"ready": "qzxjkv"})");
  const LoopbackReply thinking = {
      .body = R"(data: {"choices":[{"index":0,"delta":{"reasoning_content":"Ready for"}}]})"
              "\n\n"
              R"(data: {"choices":[{"index":0,"finish_reason":"length"}]})"
              "\n\ndata: [DONE]\n\n"};
  const LoopbackReply call = says(R"({"tool": "f", "args": {}})");
  const LoopbackReply refused = {.status = 400, .body = R"({"error":{"message":"no tools"}})"};
  struct Row {
    const char* name;
    GenerationMode mode;
    std::vector<LoopbackReply> replies;
    bool schema;
    bool tools;
  };
  for (const Row& row : {
           Row{"obeyed", GenerationMode::kSchema, {obeyed, call}, true, false},
           Row{"thinks", GenerationMode::kSchema, {thinking, call}, true, false},
           Row{"ignored",
               GenerationMode::kSchema,
               {call, good_reply(Api::kOpenAi), call},
               false,
               true},
           Row{"instead of tools that are not there",
               GenerationMode::kGrammar,
               {refused, obeyed, call},
               true,
               false},
           Row{"neither", GenerationMode::kHybrid, {refused, refused, call}, false, false},
           Row{"not wanted", GenerationMode::kUnconstrained, {refused, call}, false, false},
       }) {
    CAPTURE(row.name);
    MessageModelBench bench(
        {{{"GET /v1/models", {{.body = kModels}}}, {reply_route(Api::kOpenAi), row.replies}}});
    bench.mode = row.mode;
    bench.calls = tools->branches();
    const Result<Reply> reply = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK(reply->parts.size() == 1);
    const Json body = bench.last_body();
    CHECK(body.contains("response_format") == row.schema);
    CHECK(body.contains("tools") == row.tools);
    if (!row.schema) continue;
    const Json& schema = member(member(body["response_format"], "json_schema"), "schema");
    CHECK(schema == call_schema(bench.calls));
  }
}

TEST_CASE("message models: a bias applies to tokens if the model's are known") {
  MessageModelBench known(with_replies(Api::kOpenAi, {good_reply(Api::kOpenAi)}));
  known.biases = {{"a", 5}, {"b", -3}};
  known.find_tokenizer = [](std::string_view) {
    return Result<std::unique_ptr<VocabularyTokenizer>>(tiny_tokenizer({}));
  };
  REQUIRE(known.generate(Api::kOpenAi).ok());
  const Json body = known.last_body();
  CHECK(member(body["logit_bias"], "97") == 5.0);
  CHECK(member(body["logit_bias"], "98") == -3.0);

  MessageModelBench unknown(with_replies(Api::kOpenAi, {good_reply(Api::kOpenAi)}));
  unknown.biases = known.biases;
  unknown.find_tokenizer = [](std::string_view) -> Result<std::unique_ptr<VocabularyTokenizer>> {
    return Error{ErrorKind::kUsage, "no such model"};
  };
  REQUIRE(unknown.generate(Api::kOpenAi).ok());
  CHECK_FALSE(unknown.last_body().contains("logit_bias"));
  REQUIRE_FALSE(unknown.told.empty());
  CHECK(unknown.told.back() == "logit_bias is ignored: no such model");
}

TEST_CASE("message models: parameters that a model rejects are left out") {
  const auto refused = [](const char* parameter) {
    return LoopbackReply{.status = 400,
                         .body = to_line({{"error", {{"message", "x"}, {"param", parameter}}}})};
  };
  Routes routes = with_replies(
      Api::kOpenAi, {refused("max_tokens"), refused("temperature"), good_reply(Api::kOpenAi)});
  MessageModelBench bench(std::move(routes));
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  const Json body = bench.last_body();
  CHECK(number_of(body, "max_completion_tokens") == 1952);
  CHECK_FALSE(body.contains("max_tokens"));
  CHECK_FALSE(body.contains("temperature"));
  CHECK(body.contains("stream_options"));
  // Retries are limited.
  MessageModelBench stubborn(with_replies(Api::kOpenAi, {refused("temperature")}));
  CHECK_FALSE(stubborn.generate(Api::kOpenAi).ok());
  CHECK(stubborn.server.requests().size() == 4);
}

TEST_CASE("message models: a part that a refusal names in words is left out or changed") {
  struct Row {
    const char* name;
    std::string body;  // of the refusal
    const char* member;
    const char* value;  // afterwards; "null": none
  };
  const auto says = [](std::string_view text) {
    return to_line(Json{{"error", {{"message", text}}}});
  };
  for (
      const Row& row : {
          Row{"another name",
              says("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                   "'max_completion_tokens' instead."),
              "max_completion_tokens", "1952"},
          Row{"too many tokens",
              says("max_tokens is too large: 1952. This model supports at most 1024 completion "
                   "tokens, whereas you provided 1952."),
              "max_tokens", "1024"},
          Row{"a range of tokens",
              says("Invalid max_tokens value, the valid range of max_tokens is [1, 1000]"),
              "max_tokens", "1000"},
          Row{"a comparison of tokens",
              says("max_tokens: 1952 > 512, which is the maximum allowed number of output tokens"),
              "max_tokens", "512"},
          Row{"TGI's name",
              says("Input validation error: `max_new_tokens` must be <= 1500. Given: 1952"),
              "max_tokens", "1500"},
          Row{"too many tokens without a number", says("max_tokens is too large"), "max_tokens",
              "976"},
          Row{"a stream", says("Streaming with tools is not supported"), "stream", "false"},
          Row{"a stream, in one word", says("Stream is not supported yet"), "stream", "false"},
          Row{"a seed", says("Unsupported parameter: 'seed'"), "seed", "null"},
          Row{"a required call, by its grammar", says("Failed to generate grammar"), "tool_choice",
              "null"},
          Row{"a required call, without a reason", says("Bad Request"), "tool_choice", "null"},
          Row{"a temperature", says("models of this kind don't support temperature=0.2."),
              "temperature", "null"},
          Row{"an option of streams", says("Unrecognized argument supplied: stream_options"),
              "stream_options", "null"},
          Row{"FastAPI's place",
              R"({"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]})",
              "stream_options", "null"},
          Row{"Mistral's place",
              R"({"message":{"detail":[{"loc":["body","stream_options"],"msg":"not permitted"}]}})",
              "stream_options", "null"},
          Row{"a required call", says("tool_choice 'required' is not supported"), "tool_choice",
              "null"},
          Row{"a required call, by its place",
              R"({"detail":[{"loc":["body","tool_choice"],"msg":"Input should be 'auto'"}]})",
              "tool_choice", "null"},
      }) {
    CAPTURE(row.name);
    const LoopbackReply refusal{.status = 422, .body = row.body};
    MessageModelBench bench(with_replies(Api::kOpenAi, {refusal, good_reply(Api::kOpenAi)}));
    const Result<Reply> reply = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK(to_line(member(bench.last_body(), row.member)) == row.value);
    CHECK(bench.last_body().contains("tools"));
    CHECK(bench.server.requests().size() == 4);
  }
}

TEST_CASE("message models: Anthropic's API without a part that a server refuses") {
  struct Row {
    const char* name;
    const char* message;
    const char* before;
    const char* after;
  };
  for (const Row& row : {
           Row{"thinking", "thinking: Extra inputs are not permitted", R"("thinking")", ""},
           Row{"a kind of thinking", "\"thinking.type.disabled\" is not supported for this model.",
               R"("thinking")", ""},
           Row{"a temperature", "`temperature` is deprecated for this model.", R"("temperature")",
               ""},
           Row{"a limit",
               "max_tokens: 1435 > 1024, which is the maximum allowed number of output tokens",
               R"("max_tokens":1435)", R"("max_tokens":1024)"},
           Row{"cache marks", "messages.0.content.0.text.cache_control: Extra inputs",
               R"("cache_control")", R"("system":[{"type":"text","text":"S"}])"},
           Row{"a stream", "stream: streaming is not supported", R"("stream":true)",
               R"("stream":false)"},
           Row{"a list as the system prompt", "system: Input should be a valid string",
               R"("system":[)", R"("system":"S","messages":[{"role":"user","content":"hello"}])"},
           Row{"a list as content", "messages.0.content: str type expected", R"("content":[)",
               R"("content":"hello")"},
       }) {
    CAPTURE(row.name);
    const Api api = Api::kAnthropic;
    const Json error = {{"type", "error"}, {"error", {{"message", row.message}}}};
    MessageModelBench bench(
        with_replies(api, {{.status = 400, .body = to_line(error)}, good_reply(api)}));
    const Result<Reply> reply = bench.generate(api);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    const auto requests = bench.server.requests();
    REQUIRE(requests.size() == 4);
    CHECK_MESSAGE(requests[2].body.find(row.before) != std::string::npos, requests[2].body);
    CHECK(requests[3].body.find(row.before) == std::string::npos);
    CHECK(requests[3].body.find(row.after) != std::string::npos);
  }
}

TEST_CASE("message models: a reply is whole if only the end of its connection is missing") {
  const std::string said = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n";
  const std::string reason = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  struct Row {
    std::string body;
    bool is_whole;
  };
  for (const Row& row : {Row{said + reason, true}, Row{said, false}, Row{reason + said, false}}) {
    CAPTURE(row.body);
    MessageModelBench bench(
        with_replies(Api::kOpenAi, {{.body = row.body, .after = AfterReply::kReset}}));
    bench.options.retry.max_attempts = 1;
    const Result<Reply> reply = bench.generate(Api::kOpenAi);
    CHECK(reply.ok() == row.is_whole);
  }
}

TEST_CASE("message models: other forms of an address") {
  struct Row {
    const char* path;
    const char* models;
    const char* replies;
  };
  for (const Row& row :
       {Row{"/api/paas/v4", "/api/paas/v4/models", "/api/paas/v4/chat/completions"},
        Row{"/v1beta/openai/", "/v1beta/openai/models", "/v1beta/openai/chat/completions"},
        Row{"/x/v1", "/x/v1/models", "/x/v1/chat/completions"},
        Row{"/v2x/openai/v1", "/v2x/openai/v1/models", "/v2x/openai/v1/chat/completions"},
        Row{"/a/openai", "/a/openai/v1/models", "/a/openai/v1/chat/completions"},
        Row{"/openai/deployments/g?api-version=1", "/openai/deployments/g/models?api-version=1",
            "/openai/deployments/g/chat/completions?api-version=1"},
        Row{"/v1?key=k", "/v1/models?key=k", "/v1/chat/completions?key=k"}}) {
    CAPTURE(row.path);
    const auto route = [](const std::string& target) { return target.substr(0, target.find('?')); };
    MessageModelBench bench(Routes{{{"GET " + route(row.models), {{.body = kModels}}},
                                    {"POST " + route(row.replies), {good_reply(Api::kOpenAi)}}}},
                            row.path);
    bench.options.api_key = "secret";
    REQUIRE(bench.generate(Api::kOpenAi).ok());
    LoopbackRequest last = bench.server.requests().back();
    CHECK(bench.server.requests().front().target == row.models);
    CHECK(last.target == row.replies);
    const bool is_azure =
        row.models == std::string_view("/openai/deployments/g/models?api-version=1");
    CHECK(last.headers["api-key"] == (is_azure ? "secret" : ""));
    CHECK(last.headers["authorization"] == (is_azure ? "" : "Bearer secret"));
  }
}

TEST_CASE("message models: the model, its size and its tools") {
  const LoopbackReply good = good_reply(Api::kOpenAi);
  const LoopbackReply two = {.body = R"({"data":[{"id":"a:latest"},{"id":"b"}]})"};
  struct Row {
    const char* name;
    OpenAiServer kind;
    const char* model;
    long long context;
    std::map<std::string, std::vector<LoopbackReply>> replies;
    const char* expected;  // "name tokens: source; tools", or an error
  };
  const Row rows[] = {
      {"vLLM's list has all",
       OpenAiServer::kVllm,
       "",
       0,
       {{"GET /v1/models", {{.body = kModels}}}},
       "m 2000: the server's list of models"},
      {"a llama-server whose template omits tools",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models", {{.body = kLlamaModels}}},
        {"GET /props", {{.body = R"({"chat_template_caps":{"supports_tools":false}})"}}}},
       "m 2000: the server's list of models; calls are text: the model's chat template has no "
       "tools"},
      {"a llama-server whose model does not call, although its template has tools",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models", {{.body = kLlamaModels}}},
        {"GET /props", {{.body = R"({"chat_template_caps":{"supports_tools":true}})"}}}},
       "m 2000: the server's list of models"},
      {"less can be used than there is",
       OpenAiServer::kVllm,
       "",
       1500,
       {{"GET /v1/models", {{.body = kModels}}}},
       "m 1500: model.context_size"},
      {"but no more",
       OpenAiServer::kVllm,
       "m",
       9000,
       {{"GET /v1/models", {{.body = kModels}}}},
       "m 2000: the server's list of models"},
      {"of two models one has to be named",
       OpenAiServer::kAny,
       "",
       9000,
       {{"GET /v1/models", {two}}},
       ": the server does not have exactly one model: it has a:latest, b; name one with "
       "-model or model.model_name"},
      {"and it has to be there",
       OpenAiServer::kAny,
       "a:lastest",
       9000,
       {{"GET /v1/models", {two}}},
       ": the server has no model 'a:lastest' (did you mean 'a:latest'?): it has a:latest, b; name "
       "one with -model or model.model_name"},
      {"of a router's models the only one that runs",
       OpenAiServer::kAny,
       "",
       9000,
       {{"GET /v1/models",
         {{.body = R"({"data":[{"id":"a","status":{"value":"unloaded"}},)"
                   R"({"id":"b","status":{"value":"loaded"}}]})"}}}},
       "b 9000: model.context_size"},
      {"of a router's models none runs",
       OpenAiServer::kAny,
       "",
       9000,
       {{"GET /v1/models",
         {{.body = R"({"data":[{"id":"a","status":{"value":"unloaded"}},)"
                   R"({"id":"b","status":{"value":"failed"}}]})"}}}},
       ": the server does not have exactly one model: it has a (on disk), b (failed); name one "
       "with -model or model.model_name"},
      {"another name of a model, which the server knows",
       OpenAiServer::kAny,
       "newest",
       9000,
       {{"GET /v1/models", {two}}, {"GET /v1/models/newest", {{.body = R"({"id":"b"})"}}}},
       "newest 9000: model.context_size"},
      {"a server without a list, with a page for everything",
       OpenAiServer::kAny,
       "x",
       0,
       {{"GET /props", {{.body = "<html>"}}}},
       ": the server does not report the context size of 'x'; set model.context_size"},
      {"a server without window, for a model of the table",
       OpenAiServer::kAny,
       "gpt-4o",
       0,
       {{"GET /v1/models", {{.body = R"({"data":[{"id":"gpt-4o"},{"id":"gpt-4"}]})"}}}},
       "gpt-4o 128000: the built-in row 'gpt-4o*'"},
      {"the setting precedes the table",
       OpenAiServer::kAny,
       "gpt-4o",
       200000,
       {{"GET /v1/models", {{.body = R"({"data":[{"id":"gpt-4o"},{"id":"gpt-4"}]})"}}}},
       "gpt-4o 200000: model.context_size"},
      {"the server precedes the table",
       OpenAiServer::kVllm,
       "gpt-4o",
       0,
       {{"GET /v1/models", {{.body = R"({"data":[{"id":"gpt-4o","max_model_len":3000}]})"}}}},
       "gpt-4o 3000: the server's list of models"},
      {"the table is used if the server fails to report the window",
       OpenAiServer::kOllama,
       "gpt-4o",
       0,
       {{"GET /v1/models", {{.body = R"({"data":[{"id":"gpt-4o"}]})"}}},
        {"GET /api/ps", {{.status = 500, .body = "broken"}}}},
       "gpt-4o 128000: the built-in row 'gpt-4o*'"},
      {"Ollama's model as it is loaded",
       OpenAiServer::kOllama,
       "a",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/ps", {{.body = R"({"models":[{"model":"a:latest","context_length":8192}]})"}}}},
       "a:latest 8192: Ollama's ps"},
      {"Ollama's model as it was made",
       OpenAiServer::kOllama,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/ps", {{.body = R"({"models":[]})"}}},
        {"POST /api/show", {{.body = R"({"parameters":"stop \"x\"\nnum_ctx     16384"})"}}}},
       "b 16384: num_ctx of the model"},
      {"Ollama says nothing",
       OpenAiServer::kOllama,
       "b",
       0,
       {{"GET /v1/models", {two}}},
       "b 4096: Ollama's default"},
      {"Ollama has no such routes",
       OpenAiServer::kOllama,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/ps", {{.status = 405}}},
        {"POST /api/show", {{.status = 501}}}},
       "b 4096: Ollama's default"},
      {"Ollama fails to say what is loaded",
       OpenAiServer::kOllama,
       "b",
       0,
       {{"GET /v1/models", {two}}, {"GET /api/ps", {{.status = 500, .body = "broken"}}}},
       "/api/ps: the server answered 500: broken"},
      {"Ollama fails to show a model",
       OpenAiServer::kOllama,
       "b",
       0,
       {{"GET /v1/models", {two}}, {"POST /api/show", {{.status = 400, .body = "broken"}}}},
       "/api/show: the server answered 400: broken"},
      {"a server that fails to say what is set",
       OpenAiServer::kOllama,
       "b",
       9000,
       {{"GET /v1/models", {two}}, {"GET /api/ps", {{.status = 500, .body = "broken"}}}},
       "b 9000: model.context_size"},
      {"LM Studio's own list",
       OpenAiServer::kLmStudio,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/v0/models",
         {{.body =
               R"({"data":[{"id":"b","loaded_context_length":5000,"max_context_length":9}]})"}}}},
       "b 5000: LM Studio's list, as loaded"},
      {"LM Studio's and Ollama's routes at any server",
       OpenAiServer::kAny,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/ps", {{.body = R"({"models":[{"model":"b","context_length":8192}]})"}}}},
       "b 8192: Ollama's ps"},
      {"LM Studio's newer list",
       OpenAiServer::kLmStudio,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/v1/models",
         {{.body = R"({"models":[{"key":"b","max_context_length":9000,)"
                   R"("loaded_instances":[{"config":{"context_length":5000}}]}]})"}}}},
       "b 5000: LM Studio's list, as loaded"},
      {"SGLang's server info",
       OpenAiServer::kAny,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /get_server_info", {{.body = R"({"context_length":5000})"}}}},
       "b 5000: SGLang's server info"},
      {"of several models the only one that LM Studio has loaded",
       OpenAiServer::kLmStudio,
       "",
       9000,
       {{"GET /v1/models", {two}},
        {"GET /api/v0/models",
         {{.body = R"({"data":[{"id":"b","state":"loaded"},{"id":"a:latest","state":"not-loaded"},)"
                   R"({"id":"e","type":"embeddings","state":"loaded"}]})"}}}},
       "b 9000: model.context_size"},
      {"of several models the only one that Ollama has loaded",
       OpenAiServer::kOllama,
       "",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/ps", {{.body = R"({"models":[{"model":"b","context_length":8192}]})"}}}},
       "b 8192: Ollama's ps"},
      {"a list under another key, with the size as a text",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models",
         {{.body = R"({"data":null,"models":[{"name":"b","context_window":"3000"}]})"}}}},
       "b 3000: the server's list of models"},
      {"a bare list, with the size of a provider",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models", {{.body = R"([{"id":"b","top_provider":{"context_length":3000}}])"}}}},
       "b 3000: the server's list of models"},
      {"a named model and an empty list",
       OpenAiServer::kAny,
       "x",
       9000,
       {{"GET /v1/models", {{.body = R"({"data":[]})"}}}},
       "x 9000: model.context_size"},
      {"a named model and a page in place of a list",
       OpenAiServer::kAny,
       "x",
       9000,
       {{"GET /v1/models", {{.body = "<html>"}}}},
       "x 9000: model.context_size"},
      {"a named model and a list that is refused",
       OpenAiServer::kAny,
       "x",
       9000,
       {{"GET /v1/models", {{.status = 403, .body = "no"}}}},
       "x 9000: model.context_size"},
      {"a named model and a list that needs a key",
       OpenAiServer::kAny,
       "x",
       9000,
       {{"GET /v1/models", {{.status = 401, .body = "no"}}}},
       "/v1/models: the server answered 401: no; put the server's key into PEDROCLI_API_KEY"},
      {"a list of names",
       OpenAiServer::kAny,
       "m",
       9000,
       {{"GET /v1/models", {{.body = R"({"data":["m"]})"}}}},
       "m 9000: model.context_size"},
      {"a list under a proxy's key",
       OpenAiServer::kAny,
       "",
       9000,
       {{"GET /v1/models", {{.body = R"({"result":[{"id":"m"}]})"}}}},
       "m 9000: model.context_size"},
      {"one model in place of a list",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models", {{.body = R"({"data":{"id":"m","max_model_len":3000}})"}}}},
       "m 3000: the server's list of models"},
      {"a proxy's list of forms",
       OpenAiServer::kAny,
       "openai/m",
       9000,
       {{"GET /v1/models", {{.body = R"({"data":[{"id":"openai/*"}]})"}}}},
       "openai/m 9000: model.context_size"},
      {"an embedding model beside",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models",
         {{.body = R"({"data":[{"id":"text-Embedding-3"},{"id":"m","max_model_len":3000}]})"}}}},
       "m 3000: the server's list of models"},
      {"an adapter with its parent's window",
       OpenAiServer::kAny,
       "l",
       0,
       {{"GET /v1/models",
         {{.body = R"({"data":[{"id":"b","max_model_len":3000},)"
                   R"({"id":"l","max_model_len":null,"parent":"b"}]})"}}}},
       "l 3000: the server's list of models"},
      {"the window of all slots",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models", {{.body = R"({"data":[{"id":"m","meta":{"n_ctx":3000}}]})"}}}},
       "m 3000: the server's list of models"},
      {"the window of a slot precedes it",
       OpenAiServer::kAny,
       "",
       0,
       {{"GET /v1/models", {{.body = R"({"data":[{"id":"m","meta":{"n_ctx":3000}}]})"}}},
        {"GET /props", {{.body = R"({"default_generation_settings":{"n_ctx":1500}})"}}}},
       "m 1500: the server's /props"},
      {"TabbyAPI's model",
       OpenAiServer::kAny,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /v1/model", {{.body = R"({"id":"b","parameters":{"max_seq_len":5000}})"}}}},
       "b 5000: TabbyAPI's model"},
      {"KoboldCpp's window",
       OpenAiServer::kAny,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /api/extra/true_max_context_length", {{.body = R"({"value":5000})"}}}},
       "b 5000: KoboldCpp's context length"},
      {"TGI's window",
       OpenAiServer::kAny,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /info", {{.body = R"({"max_input_tokens":4000,"max_total_tokens":5000})"}}}},
       "b 5000: TGI's info"},
      {"a proxy that refuses other routes",
       OpenAiServer::kAny,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"GET /props", {{.status = 403, .body = "no"}}},
        {"GET /api/v0/models", {{.status = 502, .body = "no"}}},
        {"GET /api/ps", {{.body = R"({"models":[{"model":"b","context_length":8192}]})"}}}},
       "b 8192: Ollama's ps"},
      {"a model that has no tools",
       OpenAiServer::kOllama,
       "b",
       0,
       {{"GET /v1/models", {two}},
        {"POST /v1/chat/completions",
         {{.status = 400, .body = R"({"error":{"message":"b does not support tools"}})"}}}},
       "b 4096: Ollama's default; calls are text: b does not support tools"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    auto replies = row.replies;
    replies.try_emplace("POST /v1/chat/completions", std::vector<LoopbackReply>{good});
    MessageModelBench bench(Routes{replies});
    bench.options.model = row.model;
    const auto info = bench.model(Api::kOpenAi, row.kind, row.context)->open();
    std::string found = info ? info->name + " " + std::to_string(info->context_tokens) + ": " +
                                   info->context_source + "; " + info->tools_why
                             : bench.shown(info.error());
    found = replace_all(found, "; declared, but the model answered a required call with text", "");
    CHECK(found == row.expected);
    if (info) CHECK(info->has_tools == !info->tools_why.starts_with("calls are text"));
  }
}

TEST_CASE("message models: tools are refused if the same question without them is answered") {
  struct Row {
    LoopbackReply refusal;
    bool answers_without;
    const char* expected;  // why there are no tools, or the error
  };
  const LoopbackReply event{.body = "event: error\ndata: {\"error\":{\"message\":\"jinja\"}}\n\n"};
  const LoopbackReply flat{.body = R"({"object":"error","message":"no tools"})"};
  const LoopbackReply no_endpoint{.status = 404, .body = R"({"error":{"message":"no endpoint"}})"};
  for (const Row& row : {
           Row{event, true, "calls are text: jinja"},
           Row{flat, true, "calls are text: no tools"},
           Row{{.body = ""},
               true,
               "calls are text: /v1/chat/completions: expected an object, or events with "
               "\"data:\""},
           Row{no_endpoint, true, "calls are text: no endpoint"},
           Row{{.status = 405, .body = "no"}, true, "calls are text: no"},
           Row{{.status = 501, .body = "no"}, true, "calls are text: no"},
           Row{flat, false, "/v1/chat/completions: event 1: the server reports: no tools"},
           Row{no_endpoint, false,
               "/v1/chat/completions: the server answered 404: no endpoint; are model.server_url "
               "and model.model_name right?"},
           Row{{.status = 401, .body = "key"},
               true,
               "/v1/chat/completions: the server answered 401: key; put the server's key into "
               "PEDROCLI_API_KEY"},
       }) {
    CAPTURE(row.expected);
    MessageModelBench bench(
        {{{"GET /v1/models", {{.body = kModels}}},
          {reply_route(Api::kOpenAi),
           {row.refusal, row.answers_without ? good_reply(Api::kOpenAi) : row.refusal}}}});
    bench.options.retry.max_attempts = 1;
    const auto info = bench.model(Api::kOpenAi)->open();
    const std::string found = info ? info->tools_why : bench.shown(info.error());
    CHECK(replace_all(found, bench.server.url(""), "") == row.expected);
    if (info) CHECK_FALSE(info->has_tools);
  }
}

TEST_CASE("message models: a server elsewhere is asked for tools in a few tokens, not for a call") {
  const LoopbackReply refusal = {.status = 400,
                                 .body = R"({"error":{"message":"a does not support tools"}})"};
  for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
    for (const bool refuses : {false, true}) {
      CAPTURE(refuses);
      MessageModelBench bench(Routes{{{"GET /v1/models", {{.body = kModels}}},
                                      {reply_route(api), {refuses ? refusal : good_reply(api)}}}});
      bench.options.url = replace_all(bench.server.url(""), "127.0.0.1", "2130706433");
      const auto info = bench.model(api, OpenAiServer::kAny, 9000)->open();
      REQUIRE_MESSAGE(info.ok(), (info ? "" : info.error().message));
      if (api == Api::kAnthropic) {
        CHECK(info->tools_why == "not tried: all models of this API have tools");
        CHECK(info->has_tools);
        continue;
      }
      CHECK(info->has_tools == !refuses);
      CHECK(info->tools_why ==
            (refuses ? "calls are text: a does not support tools" : "accepted by the server"));
      const auto requests = bench.server.requests();
      const auto probe =
          std::find_if(requests.begin(), requests.end(),
                       [](const LoopbackRequest& request) { return request.method == "POST"; });
      REQUIRE(probe != requests.end());
      const Json body = *parse_json(probe->body);
      CHECK(number_of(body, "max_tokens") == 16);
      CHECK(body.contains("tools"));
      CHECK_FALSE(body.contains("tool_choice"));
    }
  }
}

TEST_CASE("message models: an error names the address without its password") {
  for (const char* models : {R"({"data":[{"id":"a"},{"id":"b"}]})", R"({"data":[{"id":"a"}]})"}) {
    MessageModelBench bench(Routes{{{"GET /v1/models", {{.body = models}}},
                                    {reply_route(Api::kOpenAi), {good_reply(Api::kOpenAi)}}}});
    const std::string address = bench.server.url("");
    bench.options.url = replace_all(address, "://", "://me:hunter2@");
    const auto info = bench.model(Api::kOpenAi)->open();
    REQUIRE_FALSE(info.ok());
    CHECK(info.error().message.starts_with(address + ": the server "));
  }
}

TEST_CASE("message models: without tool support in the server, calls are read from the text") {
  Routes routes = with_replies(Api::kOpenAi,
                               {{.body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":"
                                         "\"{\\\"tool\\\": \\\"f\\\", \\\"args\\\": {}}\"},"
                                         "\"finish_reason\":\"stop\"}]}\n\n"}});
  routes.replies["POST /v1/chat/completions"][0] = {.status = 500, .body = "{}"};
  MessageModelBench bench(std::move(routes));
  bench.options.retry.max_attempts = 1;
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  REQUIRE(reply->parts.size() == 1);
  CHECK(std::get<ParsedCall>(reply->parts[0]).tool == "f");
  CHECK_FALSE(bench.last_body().contains("tools"));
}

TEST_CASE("message models: a refused form is changed at once, also if the status is 500") {
  struct Row {
    const char* message;
    double waited_s;
  };
  for (const Row& row : {Row{"Only user and assistant roles are supported!", 0},
                         Row{"tool_choice is not supported", 0}, Row{"CUDA error", 0.5}}) {
    CAPTURE(row.message);
    const std::string refusal = to_line(Json{{"error", {{"message", row.message}}}});
    MessageModelBench bench(
        with_replies(Api::kOpenAi, {{.status = 500, .body = refusal}, good_reply(Api::kOpenAi)}));
    CHECK(bench.generate(Api::kOpenAi).ok());
    CHECK(bench.waited_s == row.waited_s);
  }
}

TEST_CASE("message models: a call that a server leaves in the text is read from there") {
  const auto tools = CallableTools::read(
      R"([{"name":"file","parameters":{"type":"object","required":["path"],"additionalProperties":false,"properties":{"path":{"type":"string"}}}}])");
  REQUIRE(tools.ok());
  const std::string args = R"({"path": "a.txt"})";
  struct Row {
    const char* field;  // the field of the delta
    std::string text;
    bool is_call;
    std::size_t parts = 1;
  };
  for (const Row& row : {
           Row{"content", R"({"name": "file", "arguments": )" + args + "}", true},
           Row{"content", R"({"tool": "file", "args": )" + args + "}", true},
           Row{"content",
               "I read it.\n```json\n{\"name\": \"file\", \"arguments\": " + args + "}\n```", true},
           Row{"content",
               "<tool_call>\n{\"name\": \"file\", \"arguments\": " + args + "}\n</tool_call>",
               true},
           Row{"content",
               "<tool_call>\n<function=file>\n<parameter=path>\na.txt\n</parameter>\n</"
               "function>\n</tool_call>",
               true},
           Row{"content", "[TOOL_CALLS]file[ARGS]" + args, true},
           Row{"reasoning_content", R"({"name": "file", "arguments": )" + args + "}", true},
           Row{"content", R"({"name": "file", "arguments": {"path": "a.txt",}})", true},
           Row{"content", R"({"name": "file", "arguments": {"path": "a.tx)", false},
           Row{"content", "Call the tool file with {\"path\": \"a.txt\"}.", false, 0},
           Row{"reasoning_content", R"({"name": "other", "arguments": {}})", false, 0},
       }) {
    CAPTURE(row.text);
    LoopbackReply reply = good_reply(Api::kOpenAi);
    reply.body = replace_all(reply.body, R"("content":"hi")",
                             fmt::format("\"{}\":{}", row.field, to_line(Json(row.text))));
    MessageModelBench bench(with_replies(Api::kOpenAi, {reply}));
    bench.calls = tools->branches();
    const Result<Reply> got = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(got.ok(), got.error().message);
    CHECK(got->parts.size() == row.parts);
    const bool is_told =
        std::find(bench.told.begin(), bench.told.end(),
                  "the server returned a call as text; it is parsed") != bench.told.end();
    CHECK(is_told == row.is_call);
    if (!row.is_call) continue;
    const auto* call = std::get_if<ParsedCall>(&got->parts[0]);
    REQUIRE(call != nullptr);
    CHECK(call->tool == "file");
    CHECK(call->args == Json::parse(args));
  }
}

TEST_CASE("message models: without tools, calls are read in each syntax, also in the thinking") {
  const auto tools = CallableTools::read(
      R"([{"name":"file","parameters":{"type":"object","required":["path"],"properties":{"path":{"type":"string"}}}}])");
  REQUIRE(tools.ok());
  struct Row {
    const char* field;
    const char* text;
  };
  for (const Row& row : {
           Row{"content", R"({"tool": "file", "args": {"path": "a"}})"},
           Row{"content",
               "<tool_call>\n<function=file>\n<parameter=path>\na\n</parameter>\n"
               "</function>\n</tool_call>"},
           Row{"content",
               "<tool_call>file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n"
               "</tool_call>"},
           Row{"content", "<|tool_call_start|>[file(path='a')]<|tool_call_end|>"},
           Row{"reasoning_content", R"({"name": "file", "arguments": {"path": "a"}})"},
       }) {
    CAPTURE(row.text);
    LoopbackReply reply = good_reply(Api::kOpenAi);
    reply.body = replace_all(reply.body, R"("content":"hi")",
                             fmt::format("\"{}\":{}", row.field, to_line(Json(row.text))));
    Routes routes = with_replies(Api::kOpenAi, {reply});
    routes.replies["POST /v1/chat/completions"][0] = {.status = 400, .body = "{}"};
    MessageModelBench bench(std::move(routes));
    bench.calls = tools->branches();
    const Result<Reply> got = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(got.ok(), got.error().message);
    REQUIRE(got->parts.size() == 1);
    REQUIRE(std::holds_alternative<ParsedCall>(got->parts[0]));
    CHECK(to_line(std::get<ParsedCall>(got->parts[0]).args) == R"({"path":"a"})");
    CHECK(bench.told == std::vector<std::string>{
                            "mode grammar: the server does not obey a grammar; calls are found in "
                            "free text and checked"});
  }
}

TEST_CASE("message models: a stream ends with its last event, although the connection is open") {
  for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
    for (const AfterReply after : {AfterReply::kStall, AfterReply::kReset}) {
      CAPTURE(static_cast<int>(after));
      LoopbackReply reply{.chunks = {good_reply(api).body}, .after = after};
      MessageModelBench bench(with_replies(api, {reply}));
      bench.options.idle_timeout_s = 60;
      const Result<Reply> got = bench.generate(api);
      REQUIRE_MESSAGE(got.ok(), got.error().message);
      CHECK(got->text == "hi");
      CHECK(got->usage.prompt_tokens == 50);
      CHECK(bench.notices.empty());
    }
  }
}

TEST_CASE("message models: tokens are estimated if the server reports no usage") {
  struct Row {
    const char* name;
    std::string usage;
    long long prompt;
    long long generated;
  };
  // "hello" and "S" with the tool, and "hi", at three bytes per token.
  for (const Row& row : {Row{"none", "", 47, 8}, Row{"zero", R"("prompt_tokens":0)", 47, 8},
                         Row{"only the prompt's", R"("prompt_tokens":50)", 50, 8},
                         Row{"both", R"("prompt_tokens":50,"completion_tokens":2)", 50, 2}}) {
    CAPTURE(row.name);
    LoopbackReply reply = good_reply(Api::kOpenAi);
    const std::size_t usage = reply.body.find(R"("usage":{)");
    REQUIRE(usage != std::string::npos);
    const std::size_t end = reply.body.find("}}", usage);
    reply.body.replace(usage, end + 2 - usage, R"("usage":{)" + row.usage + "}");
    MessageModelBench bench(with_replies(Api::kOpenAi, {reply}));
    const Result<Reply> got = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(got.ok(), got.error().message);
    CHECK(got->usage.prompt_tokens == row.prompt);
    CHECK(got->usage.generated_tokens == row.generated);
    CHECK(got->usage.estimated_tokens == (row.prompt == 50 ? 0 : row.prompt));
    const bool is_told =
        std::find(bench.told.begin(), bench.told.end(),
                  "the server reports no usage; tokens are estimated") != bench.told.end();
    CHECK(is_told == (row.prompt != 50));
  }
}

TEST_CASE("message models: a reply that is only a rejected call is kept as text") {
  const auto reply_of = [](const std::string& name, const std::string& args) {
    LoopbackReply reply = good_reply(Api::kOpenAi);
    const Json call = {
        {"index", 0}, {"id", "a"}, {"function", {{"name", name}, {"arguments", args}}}};
    reply.body = replace_all(reply.body, R"("content":"hi")",
                             "\"tool_calls\":" + to_line(Json::array({call})));
    return reply;
  };
  struct Row {
    const char* name;
    const char* args;
    const char* text;
  };
  for (const Row& row : {Row{"f", R"({"a": "1)", "\nf {\"a\": \"1"}, Row{"f", "[1]", "\nf [1]"},
                         Row{"", R"({"a": 1})", "\n {\"a\": 1}"}, Row{"f", R"({"a": 1})", ""}}) {
    CAPTURE(row.args);
    MessageModelBench bench(with_replies(Api::kOpenAi, {reply_of(row.name, row.args)}));
    const Result<Reply> got = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(got.ok(), got.error().message);
    CHECK(got->text == row.text);
    CHECK(got->parts.size() == 1);
  }
}

TEST_CASE("message models: an overloaded server is asked again, in a reply too") {
  const LoopbackReply overloaded{
      .body = R"({"error":{"message":"Overloaded","type":"overloaded_error","code":529}})"};
  const LoopbackReply event{.body =
                                "data: {\"error\":{\"message\":\"try later\",\"type\":"
                                "\"overloaded_error\"}}\n\n"};
  const LoopbackReply limited{
      .body = "data: {\"error\":{\"code\":429,\"message\":\"Rate limit exceeded\"}}\n\n"};
  for (const LoopbackReply& reply : {overloaded, event, limited}) {
    const LoopbackReply good = good_reply(Api::kOpenAi);
    MessageModelBench bench(with_replies(Api::kOpenAi, {reply, reply, reply, good}));
    const Result<Reply> got = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(got.ok(), got.error().message);
    CHECK(bench.waited_s == 3.5);
    CHECK(bench.notices.size() == 3);
    MessageModelBench always(with_replies(Api::kOpenAi, {reply}));
    CHECK_FALSE(always.generate(Api::kOpenAi).ok());
    CHECK(always.notices.size() == 5);
  }
}

TEST_CASE("message models: no user's message follows a tool's result") {
  MessageModelBench bench(with_replies(Api::kOpenAi, {good_reply(Api::kOpenAi)}));
  const std::unique_ptr<Model> model = bench.model(Api::kOpenAi);
  REQUIRE(model->open().ok());
  ChatRequest chat;
  ChatMessage call = text_message(Role::kAssistant, "");
  call.calls = {{"id1", "f", "{}"}};
  ChatMessage result = text_message(Role::kTool, "Accepted.");
  result.call_id = "id1";
  chat.messages = {text_message(Role::kUser, "A"), call, result, text_message(Role::kUser, "B"),
                   text_message(Role::kUser, "C")};
  chat.tools = {{"f", "d", R"({"type":"object","properties":{}})"}};
  REQUIRE(model->generate({.chat = chat}).ok());
  const Json body = bench.last_body();
  const Json& messages = member(body, "messages");
  REQUIRE(messages.size() == 3);
  CHECK(text_of(messages[2], "role") == "tool");
  CHECK(text_of(messages[2], "content") == "Accepted.\n\nB\n\nC");
}

TEST_CASE("message models: a conversation that fills the context is not sent") {
  MessageModelBench bench(with_replies(Api::kOpenAi, {good_reply(Api::kOpenAi)}));
  const Result<Reply> reply = bench.generate(Api::kOpenAi, std::string(6000, 'x'));
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.error().kind == ErrorKind::kLimit);
  CHECK(reply.error().message ==
        "the conversation has about 2046 tokens and fills the context of 2000; start the server "
        "with a larger one, or shorten the task");
  CHECK(bench.server.requests().size() == 2);  // the model list and the tool probe
}

TEST_CASE("message models: the tools of the phase are named only to OpenAI's own API") {
  const Schema schema = *parse_schema(*parse_json(R"({"type":"object"})"));
  const std::vector<CallBranch> calls = {CallBranch{.tool = "f", .action = "", .args = &schema}};
  struct Row {
    const char* owner;
    const char* choice;
  };
  const Api api = Api::kOpenAi;
  const char* allowed = R"({"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[)"
                        R"({"type":"function","function":{"name":"f"}}]}})";
  for (const Row& row : {Row{"system", allowed}, Row{"openai", allowed},
                         Row{"vllm", "\"required\""}, Row{"llamacpp", "\"required\""}}) {
    CAPTURE(row.owner);
    Routes routes = with_replies(api, {good_reply(api)});
    routes.replies["GET /v1/models"] = {
        {.body = R"({"data":[{"id":"m","max_model_len":2000,"owned_by":")" +
                 std::string(row.owner) + "\"}]}"}};
    MessageModelBench bench(std::move(routes));
    bench.calls = calls;
    REQUIRE(bench.generate(api).ok());
    CHECK(to_line(member(bench.last_body(), "tool_choice")) == row.choice);
  }
}

TEST_CASE("message models: a part of the conversation that a server refuses is left out") {
  const Api api = Api::kOpenAi;
  struct Row {
    const char* name;
    const char* message;
    const char* gone;
    bool in_stream = false;
  };
  for (const Row& row :
       {Row{"options",
            "Invalid schema for function 'f': schema must not have 'anyOf' at the top level",
            "anyOf"},
        Row{"a text beside a call",
            "Assistant message must have either content or tool_calls, but not both.", "Look."},
        Row{"an id, in an event of LM Studio",
            "Error rendering prompt with jinja template: \"Tool call IDs should be alphanumeric "
            "strings with length 9!\".",
            "\"id1\"", true}}) {
    CAPTURE(row.name);
    const std::string error = to_line(Json{{"error", {{"message", row.message}}}});
    const LoopbackReply in_stream{.headers = {"Content-Type: text/event-stream"},
                                  .body = "event: error\ndata: " + error + "\n\n"};
    const LoopbackReply refusal =
        row.in_stream ? in_stream : LoopbackReply{.status = 400, .body = error};
    MessageModelBench bench(with_replies(api, {refusal, good_reply(api), good_reply(api)}));
    const std::unique_ptr<Model> model = bench.model(api);
    REQUIRE(model->open().ok());
    ChatRequest chat;
    ChatMessage call = text_message(Role::kAssistant, "Look.");
    call.calls = {{"id1", "f", "{}"}};
    ChatMessage result = text_message(Role::kTool, "r");
    result.call_id = "id1";
    chat.messages = {text_message(Role::kUser, "A"), call, result};
    chat.tools = {{"f", "d", R"({"type":"object","anyOf":[{"properties":{"a":{}}}]})"}};
    for (int i = 0; i < 2; ++i) {
      const Result<Reply> reply = model->generate({.chat = chat});
      REQUIRE_MESSAGE(reply.ok(), reply.error().message);
      CHECK(bench.server.requests().back().body.find(row.gone) == std::string::npos);
    }
    CHECK(bench.server.requests().size() == 5);  // the list, the probe, the refusal, two replies
    CHECK(bench.server.requests()[2].body.find(row.gone) != std::string::npos);
  }
}

TEST_CASE("message models: a refusal for length inside a successful response") {
  struct Row {
    const char* name;
    Api api;
    const char* body;
    Overflow overflow;
  };
  const std::string begun =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"}}]}\n\n";
  const Row rows[] = {
      {"an event",
       Api::kOpenAi,
       "data: {\"error\":{\"message\":\"Requested tokens (1600) exceed context window of "
       "1500\"}}\n\n",
       {1600, 1500}},
      {"an event of an error",
       Api::kOpenAi,
       "event: error\ndata: {\"error\":\"n_keep (1600) >= n_ctx (1500)\"}\n\n",
       {1600, 1500}},
      {"an event of Anthropic's API",
       Api::kAnthropic,
       "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
       "\"message\":\"prompt is too long: 1600 tokens > 1500 maximum\"}}\n\n",
       {1600, 1500}},
      {"a body without events",
       Api::kOpenAi,
       "{\"error\":{\"message\":\"request (1600 tokens) exceeds the available context size (1500 "
       "tokens)\"}}",
       {1600, 1500}},
      {"a body without \"error\"",
       Api::kOpenAi,
       R"({"object":"error","message":"n_keep: 1600 >= n_ctx: 1500","code":400})",
       {1600, 1500}},
      {"an event without \"error\"",
       Api::kOpenAi,
       "data: {\"detail\":\"n_keep (1600) >= n_ctx (1500)\"}\n\n",
       {1600, 1500}},
      {"an event of FastChat",
       Api::kOpenAi,
       "data: {\"text\":\"n_keep (1600) >= n_ctx (1500)\",\"error_code\":40303}\n\n",
       {1600, 1500}},
      {"an event of text", Api::kOpenAi, "data: n_keep (1600) >= n_ctx (1500)\n\n", {1600, 1500}},
      {"a text", Api::kOpenAi, "n_keep (1600) >= n_ctx (1500)", {1600, 1500}},
  };
  for (const Row& row : rows) {
    for (const std::string& before : {std::string(), begun}) {
      const bool has_events = std::string_view(row.body).find("data: {") != std::string_view::npos;
      if (!before.empty() && (row.api == Api::kAnthropic || !has_events)) continue;
      CAPTURE(row.name);
      MessageModelBench bench(with_replies(
          row.api, {{.headers = {"Content-Type: text/event-stream"}, .body = before + row.body}}));
      const Result<Reply> reply = bench.generate(row.api);
      REQUIRE_FALSE(reply.ok());
      CHECK(reply.error().kind == ErrorKind::kLimit);
      CHECK(reply.error().overflow == row.overflow);
      CHECK(bench.server.requests().size() == 3);  // it is not asked again
    }
  }
}

TEST_CASE("message models: an unknown refusal of a longer prompt counts as one for length, once") {
  const std::string error = R"({"error":{"message":"kaputt"}})";
  for (const LoopbackReply& refusal :
       {LoopbackReply{.status = 400, .body = error}, LoopbackReply{.body = error},
        LoopbackReply{.body = ""}, LoopbackReply{.body = ": ping\n\n"}}) {
    CAPTURE(refusal.body);
    const Api api = Api::kOpenAi;
    MessageModelBench bench(
        with_replies(api, {good_reply(api), refusal, refusal, good_reply(api), refusal}));
    bench.options.retry.max_attempts = 1;
    const std::unique_ptr<Model> model = bench.model(api);
    REQUIRE(model->open().ok());
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "hello")};
    REQUIRE(model->generate({.chat = chat}).ok());
    chat.messages.push_back(text_message(Role::kAssistant, "hi"));
    chat.messages.push_back(text_message(Role::kUser, std::string(900, 'x')));
    const Result<Reply> first = model->generate({.chat = chat});
    REQUIRE_FALSE(first.ok());
    CHECK(first.error().kind == ErrorKind::kModel);
    REQUIRE(first.error().overflow.has_value());
    CHECK(first.error().overflow->window == 0);
    const Result<Reply> second = model->generate({.chat = chat});
    REQUIRE_FALSE(second.ok());
    CHECK(second.error().kind == ErrorKind::kModel);
    CHECK_FALSE(second.error().overflow.has_value());
    REQUIRE(model->generate({.chat = chat}).ok());
    const Result<Reply> same = model->generate({.chat = chat});  // the prompt has not grown
    REQUIRE_FALSE(same.ok());
    CHECK_FALSE(same.error().overflow.has_value());
  }
}

TEST_CASE("message models: an empty reply to a longer prompt, and a refusal as a reply") {
  const auto reply_of = [](const char* text, const char* reason, int tokens) {
    return LoopbackReply{
        .body = to_line(
            Json{{"choices", {{{"message", {{"content", text}}}, {"finish_reason", reason}}}},
                 {"usage", {{"prompt_tokens", 50}, {"completion_tokens", tokens}}}})};
  };
  struct Row {
    const char* name;
    LoopbackReply reply;
    int accepted;  // replies before the refusal
  };
  for (const Row& row :
       {Row{"cut at once", reply_of("", "length", 0), 0},
        Row{"cut after thoughts that are not shown", reply_of("", "length", 1000), 1},
        Row{"empty", reply_of(" ", "stop", 1), 1}, Row{"a text", reply_of("a", "length", 1), 9},
        Row{"Anthropic's reason", reply_of("", "model_context_window_exceeded", 0), 0},
        Row{"a refusal in words",
            reply_of("ERROR: The prompt size exceeds the context window size.", "stop", 9), 0},
        Row{"a text about it", reply_of("The context window size exceeds that.", "stop", 9), 9}}) {
    CAPTURE(row.name);
    const Api api = Api::kOpenAi;
    MessageModelBench bench(with_replies(api, {good_reply(api), row.reply}));
    const std::unique_ptr<Model> model = bench.model(api);
    REQUIRE(model->open().ok());
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "hello")};
    REQUIRE(model->generate({.chat = chat, .max_tokens = 1000}).ok());
    chat.messages.push_back(text_message(Role::kAssistant, "hi"));
    chat.messages.push_back(text_message(Role::kUser, std::string(900, 'x')));
    int accepted = 0;
    for (; accepted < 9; ++accepted) {
      const Result<Reply> reply = model->generate({.chat = chat, .max_tokens = 1000});
      if (reply.ok()) continue;
      CHECK(reply.error().overflow.has_value());
      break;
    }
    CHECK(accepted == row.accepted);
  }
}

TEST_CASE("message models: a call is whole although the server says that it was cut") {
  const auto reply_of = [](const char* name, const char* arguments, int tokens) {
    const Json call = {{"id", "a"}, {"function", {{"name", name}, {"arguments", arguments}}}};
    return LoopbackReply{
        .body = to_line(Json{
            {"choices", {{{"message", {{"tool_calls", {call}}}}, {"finish_reason", "length"}}}},
            {"usage", {{"prompt_tokens", 9}, {"completion_tokens", tokens}}}})};
  };
  struct Row {
    LoopbackReply reply;
    bool is_whole;
  };
  for (const Row& row :
       {Row{reply_of("f", R"({"a":1})", 20), true}, Row{reply_of("f", R"({"a":1})", 1952), false},
        Row{reply_of("f", R"({"a":1)", 20), false}, Row{reply_of("f", "{}", 20), false}}) {
    CAPTURE(row.reply.body);
    MessageModelBench bench(with_replies(Api::kOpenAi, {row.reply}));
    const Result<Reply> reply = bench.generate(Api::kOpenAi);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK((reply->stop == StopReason::kEnd) == row.is_whole);
    CHECK(reply->parts.size() == (row.is_whole ? 1 : 0));
  }
}

TEST_CASE("message models: after a withdrawn reply, another may be as long") {
  for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
    MessageModelBench bench(with_replies(api, {good_reply(api)}));
    const std::unique_ptr<Model> model = bench.model(api);
    REQUIRE(model->open().ok());
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "hello")};
    REQUIRE(model->generate({.chat = chat}).ok());  // 50 tokens and 2 of the reply
    model->withdraw();
    REQUIRE(model->generate({.chat = chat}).ok());
    CHECK(number_of(bench.last_body(), "max_tokens") == 2000 - 1 - 50);
  }
}

TEST_CASE("message models: a restored reply counts without its discarded samples") {
  MessageModelBench bench(with_replies(Api::kOpenAi, {good_reply(Api::kOpenAi)}));
  const std::unique_ptr<Model> model = bench.model(Api::kOpenAi);
  REQUIRE(model->open().ok());
  ChatRequest chat;
  chat.messages = {text_message(Role::kUser, "hello")};
  Reply reply;
  reply.usage = {.prompt_tokens = 50, .generated_tokens = 900};
  reply.discarded = {890};
  REQUIRE(model->restore({.chat = chat}, reply, Asked::kInConversation).ok());
  chat.messages.push_back(text_message(Role::kAssistant, "hi"));
  REQUIRE(model->generate({.chat = chat}).ok());
  CHECK(number_of(bench.last_body(), "max_tokens") == 2000 - 1 - 60);
}

TEST_CASE("message models: side questions do not count as part of the conversation") {
  for (const Api api : {Api::kOpenAi, Api::kAnthropic}) {
    MessageModelBench bench(with_replies(api, {good_reply(api), good_reply(api), good_reply(api)}));
    const std::unique_ptr<Model> model = bench.model(api);
    REQUIRE(model->open().ok());
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "hello")};
    REQUIRE(model->generate({.chat = chat}).ok());
    chat.messages.push_back(text_message(Role::kAssistant, "yes"));
    ChatRequest aside = chat;
    aside.messages.push_back(text_message(Role::kUser, "a question"));
    REQUIRE(model->ask_aside({.chat = aside}).ok());
    chat.messages.push_back(text_message(Role::kUser, std::string(600000, 'x')));
    const Result<Reply> full = model->generate({.chat = chat});
    REQUIRE_FALSE(full.ok());
    CHECK(full.error().kind == ErrorKind::kLimit);
  }
}

TEST_CASE("message models: a reply that repeats itself is cut and asked for again") {
  struct Row {
    Api api;
    const char* begin;
    std::string event;
  };
  const std::string unit = "I am sorry. ";
  for (
      const Row& row : {
          Row{Api::kOpenAi, "",
              R"({"choices":[{"index":0,"delta":{"content":")" + unit + R"("}}]})"},
          Row{Api::kOpenAi,
              "data: "
              "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\","
              "\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\n",
              R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":")" +
                  unit + R"("}}]}}]})"},
          Row{Api::kAnthropic,
              "data: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\n"
              "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":"
              "\"text\",\"text\":\"\"}}\n\n",
              R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" +
                  unit + R"("}})"},
      }) {
    CAPTURE(row.event);
    LoopbackReply loop{.headers = {"Content-Type: text/event-stream"}, .body = row.begin};
    for (int n = 0; n < 500; ++n) loop.body += "data: " + row.event + "\n\n";
    MessageModelBench bench(with_replies(row.api, {loop, good_reply(row.api)}));
    const Result<Reply> reply = bench.generate(row.api);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK(reply->text == "hi");
    CHECK(reply->stop == StopReason::kEnd);
    REQUIRE(reply->discarded.size() == 1);
    CHECK(reply->discarded[0] < 60);
    CHECK(reply->usage.generated_tokens == 2 + reply->discarded[0]);
    CHECK(reply->usage.prompt_tokens == 50);
    const Json body = bench.last_body();
    CHECK(real_of(body, "temperature") == 0.6);
    CHECK((real_of(body, "frequency_penalty") > 0) == (row.api == Api::kOpenAi));
    if (row.api == Api::kOpenAi) {
      REQUIRE_FALSE(bench.told.empty());
      CHECK(bench.told.back().starts_with("the reply repeated itself after "));
    }

    MessageModelBench in_vain(with_replies(row.api, {loop}));
    const Result<Reply> cut = in_vain.generate(row.api);
    REQUIRE_MESSAGE(cut.ok(), cut.error().message);
    CHECK(cut->stop == StopReason::kLoop);
    CHECK(cut->parts.empty());
    CHECK(cut->discarded.size() == 2);

    MessageModelBench ends(with_replies(row.api, {loop}));
    ends.ends_at_loop = true;
    const Result<Reply> first = ends.generate(row.api);
    REQUIRE_MESSAGE(first.ok(), first.error().message);
    CHECK(first->stop == StopReason::kLoop);
    CHECK(first->discarded.empty());
  }
}

TEST_CASE("message models: a server without a penalty is asked without") {
  const std::string event = R"({"choices":[{"index":0,"delta":{"content":"no no no no "}}]})";
  LoopbackReply loop{.headers = {"Content-Type: text/event-stream"}};
  for (int n = 0; n < 100; ++n) loop.body += "data: " + event + "\n\n";
  const LoopbackReply refusal{
      .status = 400,
      .body = R"({"error":{"message":"no such parameter","param":"frequency_penalty"}})"};
  MessageModelBench bench(with_replies(Api::kOpenAi, {loop, refusal, good_reply(Api::kOpenAi)}));
  const Result<Reply> reply = bench.generate(Api::kOpenAi);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->text == "hi");
  CHECK_FALSE(bench.last_body().contains("frequency_penalty"));
}

}  // namespace pedro
