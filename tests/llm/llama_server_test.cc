// Tests llama_server against a scripted server, for behaviour that only a faulty server shows.
// tests/llama uses the real one.
#include "llm/llama_server.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "base/text.h"
#include "chat_format/callable_tools.h"
#include "llm/opened_server.h"
#include "support/fake_tokenize.h"
#include "support/loopback_server.h"
#include "support/temp_folder.h"
#include "tokenizer/server_tokenizer.h"
#include "tokenizer/small_vocabulary.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

// Answers like a llama-server with ChatML. Each byte is one token.
struct FakeLlama {
  LoopbackReply operator()(const LoopbackRequest& request) {
    const Json body = parse_json(request.body).ok() ? *parse_json(request.body) : Json();
    if (request.target == "/health") return {.body = R"({"status":"ok"})"};
    if (request.target == "/props") return {.body = props};
    if (request.target == "/slots") return {.status = slots_status, .body = slots};
    if (request.target == "/tokenize" || request.target == "/detokenize") {
      return {.body = to_line(*(*tokens)(request.target, body))};
    }
    if (request.target == "/apply-template") return {.body = to_line({{"prompt", render(body)}})};
    if (text_of(body, "grammar").find("qzxjkv") != std::string::npos) {
      return streamed(
          {.body = R"({"content":"qzxjkv","stop":true,"stop_type":"eos","tokens":[1]})"});
    }
    if (is_probe_of_more(body)) return streamed(more);
    return streamed(first.empty() ? completion : take_first());
  }

  // Wraps the body as the only event of a stream.
  static LoopbackReply streamed(LoopbackReply reply) {
    if (reply.body.starts_with('{') && reply.status == 200) {
      reply.body = "data: " + reply.body + "\n\n";
    }
    return reply;
  }

  // Returns true for the probes of a one-word schema and of a bias.
  static bool is_probe_of_more(const Json& body) {
    const Json& schema = member(body, "json_schema");
    return text_of(schema, "const") == "qzxjkv" || number_of(body, "n_predict") == 1;
  }

  LoopbackReply take_first() {
    const LoopbackReply reply = first.front();
    first.erase(first.begin());
    return reply;
  }

  static std::string render(const Json& body) {
    std::string prompt;
    for (const Json& turn : member(body, "messages")) {
      prompt += "<" + text_of(turn, "role") + ">" + text_of(turn, "content") + "\n";
    }
    return prompt + "<assistant>";
  }

  std::shared_ptr<FakeTokenize> tokens = [] {
    const std::string gguf = small_gguf({});
    return std::make_shared<FakeTokenize>(*read_gguf_vocabulary(*GgufFile::open(gguf)));
  }();
  std::string props =
      R"({"default_generation_settings":{"n_ctx":2000},"total_slots":1,"model_alias":"tiny"})";
  int slots_status = 200;
  std::string slots = R"([{"id":0,"is_processing":false}])";
  LoopbackReply completion = {
      .body = R"({"content":"hi","tokens":[104,105],"stop":true,"stop_type":"eos",)"
              R"("tokens_evaluated":50,"tokens_predicted":2,"timings":{"cache_n":7}})"};
  std::vector<LoopbackReply> first;  // replies before `completion`
  /// The reply to capability probes besides the grammar: ignores the constraint.
  LoopbackReply more = {.body = R"({"content":"no","tokens":[110],"stop":true})"};
};

// A completion with one token per byte.
std::string completion_of(std::string_view text, std::string_view stop) {
  Json tokens = Json::array();
  for (const char byte : text) tokens.push_back(static_cast<unsigned char>(byte));
  if (stop == "eos") tokens.push_back(0);
  return to_line({{"content", text}, {"tokens", tokens}, {"stop", true}, {"stop_type", stop}});
}

// Finds only vocabularies given by their path.
VocabularyStore& no_vocabularies() {
  static RealFileSystem files;
  static VocabularyStore store(files, {}, ModelRegistry::builtin());
  return store;
}

// A tool with one possible call.
constexpr std::string_view kToolF =
    R"([{"name":"f","parameters":{"type":"object","properties":{"a":{"enum":["x"]}},
        "required":["a"],"additionalProperties":false}}])";

struct Bench {
  std::string format = "auto";
  Steering steering = Steering::kAuto;
  bool ends_at_loop = false;
  int attempts = 1;
  std::vector<BiasedText> biases;
  std::span<const CallBranch> calls;  // if not empty, the reply must be one of these calls
  GenerationMode mode = GenerationMode::kGrammar;

  Result<Reply> generate(FakeLlama llama, std::string text = "hello") {
    LoopbackServer server(
        [llama](const LoopbackRequest& request) mutable { return llama(request); });
    ServerOptions options;
    options.url = server.url("/");
    options.retry.max_attempts = attempts;
    options.retry.wait = [](double, const CancelToken&) {};
    GenerateEvents events;
    events.on_notice = [this](std::string_view notice) { notices.emplace_back(notice); };
    events.on_prefill = [this](long long done, long long total) {
      heard += std::to_string(done) + "/" + std::to_string(total) + " ";
    };
    events.on_text = [this](std::string_view fresh, long long tokens) {
      heard += std::string(fresh) + "+" + std::to_string(tokens) + " ";
    };
    options.on_retry = options.on_notice = events.on_notice;
    LlamaServer model(http, options, {.format = format, .steering = steering}, no_vocabularies(),
                      events, clock, cancel);
    const auto info = model.open();
    if (!info) return info.error();
    heard.clear();
    ChatRequest chat;
    chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, std::move(text))};
    Result<Reply> reply =
        model.generate({.chat = chat,
                        .calls = calls,
                        .mode = calls.empty() ? GenerationMode::kUnconstrained : mode,
                        .biases = biases,
                        .seed = 5,
                        .ends_at_loop = ends_at_loop});
    completions = -4;  // skips the four capability probes, the last of which is not answered
    for (const LoopbackRequest& sent : server.requests()) {
      if (sent.target != "/completion") continue;
      last_body = sent.body;
      ++completions;  // counts the requests for the reply
    }
    address = server.url("");
    return reply;
  }

  // Returns the message without the server's varying address.
  std::string error(FakeLlama llama, std::string text = "hello") {
    const auto reply = generate(std::move(llama), std::move(text));
    REQUIRE_FALSE(reply.ok());
    const std::string& message = reply.error().message;
    const std::size_t path =
        message.starts_with("http") ? message.find('/', message.find("//") + 2) : message.npos;
    return path == std::string::npos ? message : message.substr(path);
  }

  CurlHttp http;
  RealClock clock;
  CancelToken cancel;
  std::string last_body;
  int completions = 0;
  std::string address;
  std::vector<std::string> notices;
  std::string heard;  // events for the prompt and the reply
};

}  // namespace

TEST_CASE("llama_server: generation may take long, other requests may not") {
  FakeLlama llama;
  LoopbackServer server([llama](const LoopbackRequest& request) mutable {
    if (request.target == "/completion") std::this_thread::sleep_for(std::chrono::seconds(1));
    return llama(request);
  });
  CurlHttp http;
  const RealClock clock;
  const CancelToken cancel;
  ServerOptions options;
  options.url = server.url("");
  options.answer_timeout_s = 0.5;
  LlamaServer model(http, options, {}, no_vocabularies(), {}, clock, cancel);
  const auto info = model.open();
  REQUIRE_MESSAGE(info.ok(), (info.ok() ? "" : info.error().message));
  CHECK(info->can.grammar);

  LoopbackServer stuck{{.chunks = {" "}, .after = AfterReply::kStall}};
  options.url = stuck.url("");
  LlamaServer other(http, options, {}, no_vocabularies(), {}, clock, cancel);
  const auto nothing = other.open();
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().message.find("no complete answer within 0.5 s") != std::string::npos);
}

TEST_CASE("llama_server: separate requests are answered at the same time in idle slots") {
  FakeLlama llama;
  llama.props = R"({"default_generation_settings":{"n_ctx":4000},"total_slots":4,)"
                R"("model_alias":"house-1"})";
  llama.slots = R"([{"id":0,"is_processing":false},{"id":1,"is_processing":true},)"
                R"({"id":2,"is_processing":false},{"id":3,"is_processing":false}])";
  LoopbackServer server([llama](const LoopbackRequest& request) mutable {
    const Json body = parse_json(request.body).ok() ? *parse_json(request.body) : Json();
    const bool is_question = request.target == "/completion" && number_of(body, "n_predict") == 50;
    if (!is_question) return llama(request);
    // The reply names the seed. The times are those of a GPU.
    const std::string text = "seed " + std::to_string(number_of(body, "seed")) + " ";
    Json reply = *parse_json(completion_of(text, "limit"));
    reply["tokens_evaluated"] = 100;
    reply["tokens_predicted"] = text.size() + 8;
    reply["timings"] = {{"cache_n", 0}, {"prompt_ms", 50}, {"predicted_ms", 300}};
    return FakeLlama::streamed({.body = to_line(reply)});
  });
  CurlHttp http;
  const RealClock clock;
  const CancelToken cancel;
  ServerOptions options;
  options.url = server.url("");
  const auto registry = ModelRegistry::with(
      *parse_json(R"({"models":[{"pattern":"house-*","provider":"local",)"
                  R"("sampling":{"temperature":0.7,"top_k":20,"repeat_penalty":1.05}}]})"));
  REQUIRE(registry.ok());
  LlamaServer model(http, options,
                    {.known = &*registry, .make_http = [] { return std::make_unique<CurlHttp>(); }},
                    no_vocabularies(), {}, clock, cancel);
  REQUIRE(model.open().ok());
  std::vector<ChatRequest> chats(7);
  std::vector<GenerateRequest> requests;
  for (std::size_t i = 0; i < chats.size(); ++i) {
    chats[i].messages = {text_message(Role::kUser, "question " + std::to_string(i))};
    requests.push_back({.chat = chats[i], .max_tokens = 50, .seed = static_cast<std::uint32_t>(i)});
  }
  CHECK(model.together(requests).value() == 1);  // the pace is unknown
  model.begin_anew();
  REQUIRE(model.generate(requests[0]).ok());

  const std::size_t before = server.requests().size();
  CHECK(model.together(std::span(requests).subspan(1)).value() == 3);  // slot 1 is busy
  for (std::size_t i = 1; i < 4; ++i) {
    model.begin_anew();
    const auto reply = model.generate(requests[i]);
    REQUIRE(reply.ok());
    CHECK(reply->text == "seed " + std::to_string(i) + " ");
    CHECK(reply->usage.generated_tokens == 15);
  }
  std::map<long long, long long> seed_of_slot;
  const std::vector<LoopbackRequest> sent = server.requests();
  for (std::size_t i = before; i < sent.size(); ++i) {
    if (sent[i].target != "/completion") continue;
    const Json body = *parse_json(sent[i].body);
    seed_of_slot[number_of(body, "id_slot")] = number_of(body, "seed");
    CHECK(number_of(body, "top_k") == 20);
    CHECK(real_of(body, "repeat_penalty") == 1.05);
    CHECK(real_of(body, "temperature") == 0.2);  // of the request
  }
  CHECK(seed_of_slot == std::map<long long, long long>{{0, 1}, {2, 2}, {3, 3}});

  model.begin_anew();
  const auto last = model.generate(requests[4]);  // was not generated before
  REQUIRE(last.ok());
  CHECK(last->text == "seed 4 ");
}

TEST_CASE("capability probe: without ids of its texts, a capability is missing") {
  FakeLlama llama;
  llama.more = {.body = R"({"content":"no","tokens":[110],"stop":true,"stop_type":"limit"})"};
  LoopbackServer server([llama](const LoopbackRequest& request) mutable { return llama(request); });
  CurlHttp http;
  const RealClock clock;
  const CancelToken cancel;
  ServerOptions options;
  options.url = server.url("");
  LlamaClient client(http, options, cancel);
  const GenerateEvents unheard;
  SlotCompletion probe(client, unheard, clock);
  ServerTokenizer tokenizer([](const std::string&, const Json& body) -> Result<Json> {
    const bool is_word = to_line(body).find("\"qzxjkv\"") != std::string::npos;
    return Json{{"tokens", is_word ? Json{111, -1} : Json{-1, -1}}};
  });
  probe.use_slot(0, tokenizer);
  const Result<Capabilities> can = probe_capabilities(probe, tokenizer);
  REQUIRE_MESSAGE(can.ok(), (can.ok() ? "" : can.error().message));
  CHECK(can->grammar);
  CHECK_FALSE(can->logit_bias);
  CHECK_FALSE(can->shifts_cache);
}

TEST_CASE("llama server: a reply with its tokens and cost") {
  Bench bench;
  const auto reply = bench.generate({});
  REQUIRE(reply.ok());
  CHECK(reply->text == "hi");
  CHECK(reply->stop == StopReason::kEnd);
  CHECK(reply->usage.prompt_tokens == 50);
  CHECK(reply->usage.cached_tokens == 7);
  const auto body = parse_json(bench.last_body);
  REQUIRE(body.ok());
  CHECK(member(*body, "prompt").size() ==
        std::string("B<system>S\n<user>hello\n<assistant>").size());
  CHECK(truth_of(*body, "cache_prompt"));
  CHECK(truth_of(*body, "stream"));
}

TEST_CASE("llama server: reports progress during a reply, also without /slots") {
  FakeLlama llama;
  llama.slots_status = 501;
  llama.slots = R"({"error":{"code":501,"message":"off","type":"not_supported_error"}})";
  llama.completion = {
      .headers = {"Content-Type: text/event-stream"},
      .body =
          "data: {\"content\":\"\",\"tokens\":[0],\"prompt_progress\":{\"total\":9,"
          "\"processed\":9}}\n\n"
          "data: {\"content\":\"h\",\"tokens\":[104],\"stop\":false,\"tokens_predicted\":1}\n\n"
          "data: {\"content\":\"é\",\"tokens\":[169],\"stop\":false,\"tokens_predicted\":3}\n\n"
          "data: {\"content\":\"\",\"tokens\":[],\"stop\":true,\"stop_type\":\"limit\","
          "\"tokens_evaluated\":5,\"tokens_predicted\":3}\n\n"};
  Bench bench;
  const auto reply = bench.generate(llama);
  REQUIRE(reply.ok());
  CHECK(reply->text == "hé");
  CHECK(reply->stop == StopReason::kLimit);
  REQUIRE(reply->tokens.has_value());
  CHECK(reply->tokens->ids == std::vector<TokenId>{'h', 0xC3, 0xA9});
  CHECK(bench.heard == "9/9 h+1 é+2 +0 ");
}

TEST_CASE("llama server: a reply that repeats itself is cut and asked for again") {
  std::string loop =
      "data: {\"content\":\"\",\"tokens\":[0],\"prompt_progress\":{\"total\":50,\"cache\":7,"
      "\"processed\":50,\"time_ms\":3}}\n\n";
  for (int n = 1; n <= 1000; ++n) {
    loop += to_line({{"content", "a"},
                     {"tokens", Json::array({97})},
                     {"stop", false},
                     {"tokens_predicted", n}})
                .insert(0, "data: ") +
            "\n\n";
  }
  FakeLlama once;
  once.first = {{.body = loop}};
  Bench bench;
  const auto reply = bench.generate(once);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->text == "hi");
  CHECK(reply->stop == StopReason::kEnd);
  CHECK(reply->discarded == std::vector<long long>{128});
  CHECK(reply->usage.prompt_tokens == 50);
  CHECK(reply->usage.cached_tokens == 7);
  CHECK(reply->usage.generated_tokens == 130);
  REQUIRE(reply->tokens.has_value());
  CHECK(reply->tokens->ids == std::vector<TokenId>{104});  // the rest is not in the conversation
  CHECK(bench.completions == 2);
  CHECK(bench.notices ==
        std::vector<std::string>{"the reply repeated itself after 128 tokens; asked again"});
  const Json again = *parse_json(bench.last_body);
  CHECK(number_of(again, "seed") == 2654435769 + 5);
  CHECK(real_of(again, "temperature") == 0.6);
  CHECK(real_of(again, "dry_multiplier") > 0);

  FakeLlama always;
  always.completion = {.body = loop};
  Bench in_vain;
  const auto cut = in_vain.generate(always);
  REQUIRE_MESSAGE(cut.ok(), cut.error().message);
  CHECK(cut->stop == StopReason::kLoop);
  CHECK(cut->text == std::string(128, 'a'));
  CHECK(cut->parts.empty());
  CHECK(cut->discarded == std::vector<long long>{128, 128});
  CHECK(cut->usage.generated_tokens == 3 * 128);
  CHECK(in_vain.completions == 3);
  CHECK(in_vain.notices.size() == 2);

  Bench ends;
  ends.ends_at_loop = true;
  const auto first = ends.generate(always);
  REQUIRE_MESSAGE(first.ok(), first.error().message);
  CHECK(first->stop == StopReason::kLoop);
  CHECK(first->discarded.empty());
  CHECK(ends.completions == 1);
}

TEST_CASE("llama server: a repeating call is cut at the repetition") {
  const auto tools = CallableTools::read(
      R"([{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}},
          "required":["a"],"additionalProperties":false}}])");
  REQUIRE(tools.ok());
  std::string loop;
  const std::string begin = R"(f", "args": {"a": ")";
  for (int n = 1; n <= 1000; ++n) {
    const char next =
        n <= static_cast<int>(begin.size()) ? begin[static_cast<std::size_t>(n) - 1] : 'a';
    loop +=
        "data: " +
        to_line(
            {{"content", std::string(1, next)}, {"tokens", Json::array({next})}, {"stop", false}}) +
        "\n\n";
  }
  FakeLlama llama;
  llama.first = {{.body = loop}, {.body = loop}, {.body = loop}};
  Bench bench;
  bench.steering = Steering::kSingle;
  bench.calls = tools->branches();
  const Result<Reply> reply = bench.generate(llama);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->stop == StopReason::kLoop);
  CHECK(reply->text == R"({"tool": "f", "args": {"a": ")" + std::string(128, 'a'));
  CHECK(reply->parts.empty());
  CHECK(bench.completions == 3);
}

TEST_CASE("llama server: errors name the next step") {
  struct Row {
    const char* name;
    LoopbackReply completion;
    const char* message;
  };
  for (const Row& row : {
           Row{"the key",
               {.status = 401,
               .body = R"({"error":{"code":401,"message":"Invalid API Key","type":"x"}})"},
               "/completion: the server answered 401: Invalid API Key; put the server's key into "
               "PEDROCLI_API_KEY"},
           Row{"the window",
               {.status = 400,
               .body = R"({"error":{"code":400,"message":"m","type":"exceed_context_size_error",)"
                       R"("n_prompt_tokens":9000,"n_ctx":2000}})"},
               "/completion: the prompt has 9000 tokens, the window of the server's slot 2000; "
               "start the server with a larger one, or shorten the task"},
           Row{"a page",
               {.status = 404, .body = "<html>nothing</html>"},
               "/completion: the server answered 404: <html>nothing</html>; is this a recent "
               "llama-server?"},
           Row{"no JSON",
               {.body = "{\"content\":"},
               "/completion: not a JSON event: 1:12: syntax error while parsing value - unexpected "
               "end of input; "
               "expected '[', '{', or a literal"},
           Row{"no tokens",
               {.body = R"({"content":"hi","stop":true,"stop_type":"eos"})"},
               "/completion: the answer has no tokens; the server is too old"},
       }) {
    CAPTURE(row.name);
    FakeLlama llama;
    llama.completion = row.completion;
    CHECK(Bench().error(llama) == row.message);
  }
}

TEST_CASE("llama server: a prompt that fills the window is not sent") {
  Bench bench;
  CHECK(bench.error({}, std::string(1950, 'x')) ==
        "the conversation has 1979 tokens and fills the window of 2000; start the server with a "
        "larger -c");
  CHECK(bench.last_body.find("\"n_predict\":1,") != std::string::npos);  // a capability probe
}

TEST_CASE("llama server: a server that does not say its context, and a router") {
  FakeLlama llama;
  llama.props = R"({"default_generation_settings":{"n_ctx":0}})";
  CHECK(Bench().error(llama).ends_with(
      ": the server does not report its context size; set model.context_size"));
  llama.props = R"({"default_generation_settings":{"n_ctx":0},"model_alias":"Qwen2.5-7B"})";
  CHECK(Bench().generate(llama).ok());
  llama.props = R"({"role":"router","default_generation_settings":{"n_ctx":0}})";
  CHECK(Bench().error(llama).starts_with("/v1/models: "));  // asked for the router's models
}

TEST_CASE("llama server: a format asked for by name, and a vocabulary without its tokens") {
  Bench bench;
  bench.format = "llama3";
  CHECK(bench.error({}) ==
        "format llama3: the model's vocabulary has no <|begin_of_text|>, <|start_header_id|>, "
        "<|end_header_id|> and 1 more: the model is of another family. Use -format auto "
        "(model.format), or see `pedrocli format list`");
  CHECK(bench.notices.empty());

  FakeLlama llama;
  const std::string gguf = small_gguf({}, "", {"<|im_start|>", "<|im_end|>"});
  llama.tokens = std::make_shared<FakeTokenize>(*read_gguf_vocabulary(*GgufFile::open(gguf)));
  bench.format = "hermes";
  CHECK(bench.generate(llama).ok());
  CHECK(bench.notices ==
        std::vector<std::string>{"format hermes: not tokens of the model, written as text: "
                                 "<tool_call>, </tool_call>, <tool_response> and 1 more"});
}

TEST_CASE("llama server: handles a reply that does not come") {
  const auto refusal = [](int status, const char* message) {
    return LoopbackReply{.status = status,
                         .body = to_line({{"error", {{"code", status}, {"message", message}}}})};
  };
  const LoopbackReply stuck =
      refusal(500, "got exception: Unexpected empty grammar stack after accepting piece: x (9)");
  struct Row {
    const char* name;
    bool biased;
    std::vector<LoopbackReply> first;
    int completions;
    std::vector<const char*> notices;
    const char* error;  // "": the reply succeeds in the end
  };
  const Row rows[] = {
      {"the grammar and a bias leave no token: once more without the bias",
       true,
       {stuck},
       2,
       {"empty grammar stack after accepting piece: x (9); continuing without logit_bias"},
       ""},
      {"the same without a bias: once more",
       false,
       {stuck},
       2,
       {"empty grammar stack after accepting piece: x (9); asking again"},
       ""},
      {"a sampler that cannot be made of them",
       true,
       {refusal(500, "Failed to initialize samplers: bad bias")},
       2,
       {"bad bias; continuing without logit_bias"},
       ""},
      {"but not a third time",
       true,
       {stuck, stuck},
       2,
       {"continuing without logit_bias"},
       "piece: x (9); set model.logit_bias to {}, or model.mode to unconstrained, and see the "
       "server's log"},
      {"a grammar that is not read stays what it is",
       true,
       {refusal(400, "Failed to initialize samplers: failed to parse grammar")},
       1,
       {},
       "it cannot read the grammar of calls: use a newer server, or set model.mode to "
       "hybrid, which then continues with free text"},
      {"another failure of the server's may be our request",
       false,
       {refusal(500, "[json.exception.parse_error.101] parse error")},
       1,
       {},
       "the server answered 500: [json.exception.parse_error.101] parse error"},
      {"an answer that is cut", false, {{.body = "{\"content\":"}}, 2, {"; asking again"}, ""},
      {"an answer that is no UTF-8",
       false,
       {{.body = "{\"content\":\"\xff\"}"}},
       2,
       {"; asking again"},
       ""},
      {"and cut again",
       false,
       {{.body = "{\"content\":"}, {.body = "{"}},
       2,
       {"; asking again"},
       "syntax error while parsing object key - unexpected end of input; expected string literal"},
      {"a connection that breaks",
       false,
       {{.body = "data: {", .after = AfterReply::kReset}},
       2,
       {"the connection broke after 7 bytes of the answer; see the server's log; asking again"},
       ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FakeLlama llama;
    llama.first = row.first;
    Bench bench;
    bench.attempts = 4;
    if (row.biased) bench.biases = {{"a", 5}};
    const Result<Reply> reply = bench.generate(llama);
    CHECK(reply.ok() == (*row.error == 0));
    if (!reply) CHECK_MESSAGE(reply.error().message.ends_with(row.error), reply.error().message);
    CHECK(bench.completions == row.completions);
    REQUIRE(bench.notices.size() == row.notices.size());
    for (std::size_t i = 0; i < bench.notices.size(); ++i) {
      CHECK_MESSAGE(bench.notices[i].ends_with(row.notices[i]), bench.notices[i]);
    }
    const bool without = !row.notices.empty() && bench.notices[0].ends_with("logit_bias");
    CHECK((bench.last_body.find("[97,5") != std::string::npos) == (row.biased && !without));
    if (row.first.empty()) continue;
    Bench never;
    CHECK_FALSE(never.generate(llama).ok());
    CHECK(never.completions == 1);
  }
}

TEST_CASE("llama server: a reply that the grammar does not allow is text, and that is said") {
  const auto tools = CallableTools::read(kToolF);
  REQUIRE(tools.ok());
  struct Row {
    const char* name;
    const char* content;  // after {"tool": "
    const char* stop;
    std::size_t calls;
    bool told;
  };
  for (const Row& row : {
           Row{"a call", R"(f", "args": {"a": "x"})", "eos", 1, false},
           Row{"another text", "I would rather talk.", "eos", 0, true},
           Row{"the beginning of another", "I would", "limit", 0, true},
           Row{"a call of nothing that there is", R"(g", "args": {}})", "eos", 1, true},
           Row{"a call with other arguments", R"(f", "args": {"a": "y"}})", "eos", 1, true},
       }) {
    CAPTURE(row.name);
    FakeLlama llama;
    llama.completion.body = completion_of(row.content, row.stop);
    Bench bench;
    bench.steering = Steering::kSingle;
    bench.calls = tools->branches();
    const Result<Reply> reply = bench.generate(llama);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    // The client closes only calls that obeyed the grammar.
    const bool closed = !row.told && row.calls == 1;
    CHECK(reply->text == R"({"tool": ")" + std::string(row.content) + (closed ? "}" : ""));
    CHECK(reply->parts.size() >= row.calls);
    CHECK((bench.notices.size() == 1) == row.told);
    for (const std::string& notice : bench.notices) {
      CHECK(notice.starts_with("the server did not obey the grammar: "));
    }
  }
}

TEST_CASE("llama server: a bias that makes a model repeat itself is warned of") {
  Bench usual;
  usual.biases = {{"a", 10}};
  REQUIRE(usual.generate({}).ok());
  CHECK(usual.notices.empty());
  Bench large;
  large.biases = {{"a", 15}};
  REQUIRE(large.generate({}).ok());
  CHECK(large.last_body.find("[97,15") != std::string::npos);
  REQUIRE(large.notices.size() == 1);
  CHECK(large.notices[0] ==
        "logit_bias: 'a' has 15: from about 15 on a model repeats a text instead of using it more");
}

TEST_CASE("llama server: a feature of a mode that the server lacks is skipped and reported") {
  const auto tools = CallableTools::read(kToolF);
  REQUIRE(tools.ok());
  FakeLlama plain;  // supports grammars, but not schemas
  FakeLlama with_schemas;
  with_schemas.more.body = completion_of("\"qzxjkv\"", "eos");
  struct Row {
    const char* name;
    FakeLlama* llama;
    GenerationMode mode;
    const char* field;  // the field of the request with the constraint
    const char* notice;
  };
  for (const Row& row : {
           Row{"a grammar", &plain, GenerationMode::kGrammar, "grammar", ""},
           Row{"a grammar, or free text", &plain, GenerationMode::kHybrid, "grammar", ""},
           Row{"nothing", &plain, GenerationMode::kUnconstrained, "", ""},
           Row{"a schema", &with_schemas, GenerationMode::kSchema, "json_schema", ""},
           Row{"a schema that is not obeyed", &plain, GenerationMode::kSchema, "",
               "mode schema: the server does not obey a JSON Schema; calls are found in free text "
               "and checked"},
       }) {
    CAPTURE(row.name);
    FakeLlama llama = *row.llama;
    const bool begun = row.field == std::string("grammar");
    const std::string call = R"({"tool": "f", "args": {"a": "x"}})";
    llama.completion.body = completion_of(begun ? call.substr(10, call.size() - 11) : call, "eos");
    Bench bench;
    bench.steering = Steering::kSingle;
    bench.calls = tools->branches();
    bench.mode = row.mode;
    const Result<Reply> reply = bench.generate(llama);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    CHECK(reply->text == call);
    CHECK(reply->parts.size() == 1);
    const Json body = *parse_json(bench.last_body);
    CHECK(!text_of(body, "grammar").empty() == begun);
    CHECK(body.contains("json_schema") == (row.field == std::string("json_schema")));
    CHECK(join(bench.notices, "; ") == row.notice);
  }
}

TEST_CASE("llama server: in hybrid mode a call falls back to free text if the grammar fails") {
  const auto tools = CallableTools::read(kToolF);
  REQUIRE(tools.ok());
  FakeLlama llama;
  llama.first = {{.status = 400, .body = R"({"error":{"message":"failed to parse grammar"}})"}};
  llama.completion.body = completion_of(R"(f", "args": {"a": "x"}} and more)", "eos");
  Bench bench;
  bench.steering = Steering::kSingle;
  bench.calls = tools->branches();
  bench.mode = GenerationMode::kHybrid;
  const Result<Reply> reply = bench.generate(llama);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->text == R"({"tool": "f", "args": {"a": "x"}} and more)");
  REQUIRE(reply->parts.size() == 1);
  CHECK(std::holds_alternative<ParsedCall>(reply->parts[0]));
  REQUIRE(bench.notices.size() == 1);
  CHECK(bench.notices[0].ends_with("; continuing without a grammar, as free text"));
  Bench strict;
  strict.steering = Steering::kSingle;
  strict.calls = tools->branches();
  CHECK_FALSE(strict.generate(llama).ok());
}

TEST_CASE("llama server: a cut call is continued") {
  const auto tools = CallableTools::read(kToolF);
  REQUIRE(tools.ok());
  FakeLlama llama;
  llama.first = {{.body = completion_of(R"(f", "args": {"a)", "limit")}};
  llama.completion.body = completion_of("", "eos");
  Bench bench;
  bench.steering = Steering::kSingle;
  bench.calls = tools->branches();
  const Result<Reply> reply = bench.generate(llama);
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->text == R"({"tool": "f", "args": {"a": "x"}})");
  CHECK(reply->parts.size() == 1);
  CHECK(bench.notices.empty());
}

TEST_CASE("llama server: the first token that a cache has not is named") {
  FakeLlama llama;
  llama.completion.body = R"({"content":"hi","tokens":[104,105],"stop":true,"stop_type":"eos",)"
                          R"("tokens_evaluated":40,"tokens_predicted":2,"timings":{"cache_n":9}})";
  LoopbackServer server([llama](const LoopbackRequest& request) mutable { return llama(request); });
  CurlHttp http;
  const RealClock clock;
  const CancelToken cancel;
  ServerOptions options;
  options.url = server.url("");
  LlamaServer model(http, options, {}, no_vocabularies(), {}, clock, cancel);
  REQUIRE(model.open().ok());
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "hello")};
  const auto first = model.generate({.chat = chat});
  REQUIRE(first.ok());
  CHECK(!first->miss);  // nothing was expected
  chat.messages.push_back(text_message(Role::kAssistant, "hi"));
  chat.messages.push_back(text_message(Role::kUser, "more"));
  const auto second = model.generate({.chat = chat});
  REQUIRE(second.ok());
  REQUIRE(second->expected_cached_tokens > 9);
  REQUIRE(second->miss.has_value());
  CHECK(second->miss->position == 9);
  // "B<system>S\n": the tenth token of the prompt.
  CHECK(second->miss->text == "S");
  CHECK(second->miss->token == 'S');
}

// The number of /tokenize requests for opening and for two calls, and the selected tokenizer.
struct Counted {
  std::vector<std::size_t> requests;
  std::string tokenizer;
  bool mismatch = false;
  std::vector<std::string> notices;
  std::string body;  // the last completion request
};

Counted count_requests(const std::string& model_path, const std::string& served_gguf) {
  const auto source = read_gguf_vocabulary(*GgufFile::open(served_gguf));
  REQUIRE(source.ok());
  FakeTokenize fake(*source);
  FakeLlama llama;
  llama.props = to_line({{"default_generation_settings", {{"n_ctx", 2000}}},
                         {"total_slots", 1},
                         {"model_alias", "tiny"},
                         {"chat_template", "<s><|im_end|>"},
                         {"model_path", model_path}});
  LoopbackServer server([&](const LoopbackRequest& request) -> LoopbackReply {
    if (!request.target.ends_with("tokenize")) return llama(request);
    return {.body = to_line(*fake(request.target, *parse_json(request.body)))};
  });
  CurlHttp http;
  const RealClock clock;
  const CancelToken cancel;
  ServerOptions options;
  options.url = server.url("");
  Counted out;
  GenerateEvents events;
  events.on_notice = [&out](std::string_view text) { out.notices.emplace_back(text); };
  LlamaServer model(http, options, {}, no_vocabularies(), events, clock, cancel);
  REQUIRE(model.open().ok());
  out.requests.push_back(fake.requests.size());
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "the <|im_end|>")};
  for (const char* next : {"more", "still more"}) {
    REQUIRE(model.generate({.chat = chat}).ok());
    chat.messages.push_back(text_message(Role::kAssistant, "hi"));
    chat.messages.push_back(text_message(Role::kUser, next));
    out.requests.push_back(fake.requests.size());
  }
  for (const LoopbackRequest& sent : server.requests()) {
    if (sent.target == "/completion") out.body = sent.body;
  }
  out.tokenizer = model.details().tokenizer;
  out.mismatch = model.details().tokenizer_mismatch;
  CHECK(model.details().control_tokens == 1);  // only <s>: the other one ends replies
  return out;
}

TEST_CASE("llama server: with the model's vocabulary here, /tokenize is asked for the check only") {
  const TempFolder folder;
  const std::string served = small_gguf({"th", "the"});
  const std::string other = small_gguf({"th", "thx"});
  const auto local = count_requests(folder.write("model.gguf", served), served);
  CHECK(local.tokenizer == "model");
  CHECK_FALSE(local.mismatch);
  CHECK(local.notices.empty());
  CHECK(to_line(local.requests) == "[3,3,3]");

  // Counts requests for a first try, for the format and the control tokens, then for names and
  // texts. After that, only new text needs tokens, and once the continuation of a text.
  const auto remote = count_requests("/not/here.gguf", served);
  CHECK(remote.tokenizer == "server");
  CHECK_FALSE(remote.mismatch);
  CHECK(to_line(remote.requests) == "[12,13,15]");
  CHECK(remote.notices.empty());
  CHECK(remote.body == local.body);  // the same prompt, token by token

  const auto wrong = count_requests(folder.write("other.gguf", other), served);
  CHECK(wrong.tokenizer == "server");
  CHECK(wrong.mismatch);
  CHECK(wrong.body == local.body);
  REQUIRE(wrong.notices.size() == 1);
  CHECK(wrong.notices[0].starts_with("text is tokenized by the server itself: the model's file "));
  CHECK(wrong.notices[0].ends_with(
      R"( has different ids: in the probe text 'letters', special tokens off, at byte 31, "the": )"
      R"(the server has 257:"the", it has 256:"th" 101:"e")"));
}

}  // namespace pedro
