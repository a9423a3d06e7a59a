// llama_server against a scripted server: what can only be seen when the server misbehaves. The
// real one is in tests/llama.
#include "llm/llama_server.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "base/text.h"
#include "support/fake_tokenize.h"
#include "support/loopback_server.h"
#include "support/temp_folder.h"
#include "tokenizer/gguf_vocabulary.h"
#include "tokenizer/small_vocabulary.h"

namespace pedro {
namespace {

// Answers like a llama-server of ChatML; one token a byte.
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
      const std::string event =
          R"({"content":"qzxjkv","stop":true,"stop_type":"eos","tokens":[1]})";
      return {.body = truth_of(body, "stream") ? "data: " + event + "\n\n" : event};
    }
    return completion;
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
};

// No vocabularies but those named by their path.
VocabularyStore& no_vocabularies() {
  static RealFileSystem files;
  static VocabularyStore store(files, {}, ModelRegistry::builtin());
  return store;
}

struct Bench {
  std::string format = "auto";

  Result<Reply> generate(FakeLlama llama, std::string text = "hello") {
    LoopbackServer server(
        [llama](const LoopbackRequest& request) mutable { return llama(request); });
    ServerOptions options;
    options.url = server.url("/");
    options.retry.max_attempts = 1;
    GenerateEvents events;
    events.on_notice = [this](std::string_view notice) { notices.emplace_back(notice); };
    LlamaServer model(http, watch_http, options, {.format = format}, no_vocabularies(), events,
                      clock, cancel);
    const auto info = model.open();
    if (!info) return info.error();
    ChatRequest chat;
    chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, std::move(text))};
    Result<Reply> reply = model.generate({.chat = chat});
    for (const LoopbackRequest& sent : server.requests()) {
      if (sent.target == "/completion") last_body = sent.body;
    }
    address = server.url("");
    return reply;
  }

  // The message without the server's address, which changes.
  std::string error(FakeLlama llama, std::string text = "hello") {
    const auto reply = generate(std::move(llama), std::move(text));
    REQUIRE_FALSE(reply.ok());
    const std::string& message = reply.error().message;
    const std::size_t path =
        message.starts_with("http") ? message.find('/', message.find("//") + 2) : message.npos;
    return path == std::string::npos ? message : message.substr(path);
  }

  CurlHttp http;
  CurlHttp watch_http;
  RealClock clock;
  CancelToken cancel;
  std::string last_body;
  std::string address;
  std::vector<std::string> notices;
};

}  // namespace

TEST_CASE("llama_server: a model may take its time, what is no model's work may not") {
  FakeLlama llama;
  LoopbackServer server([llama](const LoopbackRequest& request) mutable {
    if (request.target == "/completion") std::this_thread::sleep_for(std::chrono::seconds(1));
    return llama(request);
  });
  CurlHttp http;
  CurlHttp watch_http;
  const RealClock clock;
  const CancelToken cancel;
  ServerOptions options;
  options.url = server.url("");
  options.answer_timeout_s = 0.5;
  LlamaServer model(http, watch_http, options, {}, no_vocabularies(), {}, clock, cancel);
  const auto info = model.open();
  REQUIRE_MESSAGE(info.ok(), (info.ok() ? "" : info.error().message));
  CHECK(info->grammar_enforced);

  LoopbackServer stuck{{.chunks = {" "}, .after = AfterReply::kStall}};
  options.url = stuck.url("");
  LlamaServer other(http, watch_http, options, {}, no_vocabularies(), {}, clock, cancel);
  const auto nothing = other.open();
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().message.find("no whole answer within 0.5 s") != std::string::npos);
}

TEST_CASE("llama server: a reply with its tokens and what it cost") {
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
  CHECK_FALSE(truth_of(*body, "stream"));
}

TEST_CASE("llama server: without /slots the reply is streamed") {
  FakeLlama llama;
  llama.slots_status = 501;
  llama.slots = R"({"error":{"code":501,"message":"off","type":"not_supported_error"}})";
  llama.completion = {
      .headers = {"Content-Type: text/event-stream"},
      .body =
          "data: {\"content\":\"\",\"tokens\":[0],\"prompt_progress\":{\"total\":9,"
          "\"processed\":9}}\n\n"
          "data: {\"content\":\"hi\",\"tokens\":[104],\"stop\":false}\n\n"
          "data: {\"content\":\"\",\"tokens\":[],\"stop\":true,\"stop_type\":\"limit\","
          "\"tokens_evaluated\":5,\"tokens_predicted\":1}\n\n"};
  Bench bench;
  const auto reply = bench.generate(llama);
  REQUIRE(reply.ok());
  CHECK(reply->text == "hi");
  CHECK(reply->stop == StopReason::kLimit);
  CHECK(bench.last_body.find("\"stream\":true") != std::string::npos);
}

TEST_CASE("llama server: what goes wrong is named with what to do") {
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
               "start the "
               "server with a larger one, or give the job less"},
           Row{"a page",
               {.status = 404, .body = "<html>nothing</html>"},
               "/completion: the server answered 404: <html>nothing</html>; is this a "
               "llama-server, "
               "and a recent one?"},
           Row{"no JSON",
               {.body = "{\"content\":"},
               "/completion: 1:12: syntax error while parsing value - unexpected end of input; "
               "expected '[', '{', or a literal"},
           Row{"no tokens",
               {.body = R"({"content":"hi","stop_type":"eos"})"},
               "/completion: the answer names no tokens; the server is too old"},
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
  CHECK(bench.last_body.find("qzxjkv") != std::string::npos);  // the probe was the last one
}

TEST_CASE("llama server: a server that does not say its context, and a router") {
  FakeLlama llama;
  llama.props = R"({"default_generation_settings":{"n_ctx":0}})";
  CHECK(Bench().error(llama).ends_with(
      ": the server does not say how large its context is; set model.context_size"));
  llama.props = R"({"role":"router","default_generation_settings":{"n_ctx":0}})";
  CHECK(Bench().error(llama).ends_with(
      ": the server is a router; name one of its models in model.model_name"));
}

TEST_CASE("llama server: a format asked for by name, and a vocabulary without its tokens") {
  Bench bench;
  bench.format = "llama3";
  CHECK(bench.error({}) ==
        "format llama3: the model's vocabulary has no <|begin_of_text|>, <|start_header_id|>, "
        "<|end_header_id|> and 1 more: the model is of another family. With -format auto "
        "(model.format) its own is found; `pedrocli format list` has all of them");
  CHECK(bench.notices.empty());

  FakeLlama llama;
  const std::string gguf = small_gguf({}, "", {"<|im_start|>", "<|im_end|>"});
  llama.tokens = std::make_shared<FakeTokenize>(*read_gguf_vocabulary(*GgufFile::open(gguf)));
  bench.format = "hermes";
  CHECK(bench.generate(llama).ok());
  CHECK(bench.notices == std::vector<std::string>{
                             "format hermes: no tokens of the model, written as text: <tool_call>, "
                             "</tool_call>, <tool_response> and 1 more"});
}

// How often /tokenize was asked, for opening and for two calls, and what the choice was.
struct Counted {
  std::vector<std::size_t> requests;
  std::string tokenizer;
  bool mismatch = false;
  std::vector<std::string> notices;
  std::string body;  // of the last completion
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
  CurlHttp watch_http;
  const RealClock clock;
  const CancelToken cancel;
  ServerOptions options;
  options.url = server.url("");
  Counted out;
  GenerateEvents events;
  events.on_notice = [&out](std::string_view text) { out.notices.emplace_back(text); };
  LlamaServer model(http, watch_http, options, {}, no_vocabularies(), events, clock, cancel);
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
  CHECK(model.details().control_tokens == 1);  // <s>: the other ends replies
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

  // The format and the control tokens; names, and texts; then what is new, and once how a text is
  // gone on with.
  const auto remote = count_requests("/not/here.gguf", served);
  CHECK(remote.tokenizer == "server");
  CHECK_FALSE(remote.mismatch);
  CHECK(to_line(remote.requests) == "[10,11,13]");
  CHECK(remote.notices.empty());
  CHECK(remote.body == local.body);  // the same prompt, token by token

  const auto wrong = count_requests(folder.write("other.gguf", other), served);
  CHECK(wrong.tokenizer == "server");
  CHECK(wrong.mismatch);
  CHECK(wrong.body == local.body);
  REQUIRE(wrong.notices.size() == 1);
  CHECK(wrong.notices[0].starts_with("tokens are made by the server itself: the model's file "));
  CHECK(wrong.notices[0].ends_with(
      R"( has other ids: in the probe text 'letters', special tokens off, at byte 31, "the": )"
      R"(the server has 257:"the", it has 256:"th" 101:"e")"));
}

}  // namespace pedro
