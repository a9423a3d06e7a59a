// Reads any bytes as the answers of a llama-server, separated by lines "~". An empty answer becomes
// a good answer to the request. An answer that begins with a number and a newline has this status.
// All answers after the last are good. Opens the model and asks it three times: it must reply or
// report an error.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/callable_tools.h"
#include "fuzz/require.h"
#include "llm/llama_server.h"
#include "sys/file_system.h"

namespace {

using namespace pedro;

constexpr std::string_view kToolF =
    R"([{"name":"f","parameters":{"type":"object","properties":{"a":{"enum":["x"]}},
        "required":["a"],"additionalProperties":false}}])";
constexpr int kMaxRequests = 300;  // for one file

std::string byte_piece(int byte) {
  return {static_cast<char>(byte)};
}

// A ChatML server whose token ids are bytes, with 256 for <|im_end|>.
class GoodServer {
 public:
  static std::string answer(std::string_view path, const Json& body) {
    if (path == "/health") return R"({"status":"ok"})";
    if (path == "/props") {
      return R"({"default_generation_settings":{"n_ctx":2000},"total_slots":1,"model_alias":"t"})";
    }
    if (path == "/slots") return R"([{"id":0,"is_processing":false}])";
    if (path == "/tokenize") return tokenize(body);
    if (path == "/detokenize") return detokenize(body);
    if (path == "/apply-template") return template_of(body);
    return completion(text_of(body, "grammar").find("qzxjkv") == std::string::npos ? "hi"
                                                                                   : "qzxjkv");
  }

 private:
  static std::string tokenize(const Json& body) {
    Json tokens = Json::array();
    const Json& content = member(body, "content");
    for (const char c : content.is_string() ? content.get<std::string>() : "") {
      const int byte = static_cast<unsigned char>(c);
      if (!truth_of(body, "with_pieces")) {
        tokens.push_back(byte);
        continue;
      }
      tokens.push_back(
          {{"id", byte}, {"piece", byte < 128 ? Json(byte_piece(byte)) : Json({byte})}});
    }
    return to_line({{"tokens", tokens}});
  }

  static std::string detokenize(const Json& body) {
    std::string text;
    for (const Json& token : member(body, "tokens")) {
      if (token.is_number_integer() && token.get<int>() < 128) text += byte_piece(token.get<int>());
    }
    return to_line({{"content", text}});
  }

  static std::string template_of(const Json& body) {
    std::string prompt;
    for (const Json& turn : member(body, "messages")) {
      prompt += "<" + text_of(turn, "role") + ">" + text_of(turn, "content") + "\n";
    }
    return to_line({{"prompt", prompt + "<assistant>"}});
  }

  static std::string completion(std::string_view text) {
    Json tokens = Json::array();
    for (const char c : text) tokens.push_back(static_cast<unsigned char>(c));
    const std::string line = to_line({{"content", text},
                                      {"tokens", tokens},
                                      {"stop", true},
                                      {"stop_type", "eos"},
                                      {"tokens_evaluated", 50},
                                      {"tokens_predicted", tokens.size()},
                                      {"timings", {{"cache_n", 7}}}});
    return "data: " + line + "\n\n";
  }
};

class ScriptedHttp : public Http {
 public:
  explicit ScriptedHttp(std::string_view script) : script_(script) {}

  Result<HttpResponse> send(const HttpRequest& request, const BodySink& sink,
                            const CancelToken&) override {
    if (++requests_ > kMaxRequests) return Error{ErrorKind::kModel, "the server is gone"};
    HttpResponse response{.status = 200, .body = next_answer(), .content_type = "application/json"};
    const std::size_t line_end = response.body.find('\n');
    int status = 0;
    const auto read = std::from_chars(
        response.body.data(), response.body.data() + std::min<std::size_t>(3, response.body.size()),
        status);
    if (response.body.empty()) {
      const Result<Json> body = parse_json(request.body);
      const std::size_t path = request.url.find('/', std::string_view("http://").size());
      response.body = GoodServer::answer(request.url.substr(path), body ? *body : Json());
    } else if (line_end == 3 && read.ec == std::errc() && status >= 100) {
      response.status = status;
      response.body.erase(0, 4);
    }
    if (sink && response.status / 100 == 2) {
      std::string body = std::move(response.body);
      response.body.clear();
      for (std::size_t at = 0; at < body.size(); at += 7) {
        if (!sink(std::string_view(body).substr(at, 7))) break;
      }
    }
    return response;
  }

  int requests() const { return requests_; }

 private:
  std::string next_answer() {
    const std::size_t end = script_.find("\n~\n");
    const std::string answer(script_.substr(0, end));
    script_ = end == std::string_view::npos ? std::string_view() : script_.substr(end + 3);
    return answer;
  }

  std::string_view script_;
  int requests_ = 0;
};

void check_error(const Error& error, std::string_view file) {
  require(error.kind == ErrorKind::kModel || error.kind == ErrorKind::kConfig ||
              error.kind == ErrorKind::kLimit || error.kind == ErrorKind::kUsage,
          "another kind of error", file);
  require(error.message.size() < 4000, "a long error", file);
}

void check_reply(const Reply& reply, std::string_view file) {
  require(is_valid_utf8(reply.text), "a reply that is no UTF-8", file);
  require(reply.usage.prompt_tokens >= 0 && reply.usage.generated_tokens >= 0 &&
              reply.usage.cached_tokens >= 0,
          "less than no tokens", file);
}

void talk(LlamaServer& model, std::string_view file) {
  static const CallableTools tools = *CallableTools::read(kToolF);
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "U")};
  for (int round = 0; round < 3; ++round) {
    GenerateRequest request{.chat = chat};
    request.max_tokens = 50;
    if (round > 0) {
      request.calls = tools.branches();
      request.mode = GenerationMode::kGrammar;
    }
    const auto reply = model.generate(request);
    if (!reply) return check_error(reply.error(), file);
    check_reply(*reply, file);
    chat.messages.push_back(text_message(Role::kAssistant, reply->text));
    chat.messages.push_back(text_message(Role::kUser, "more"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  static RealFileSystem files;
  static VocabularyStore vocabularies(files, {}, ModelRegistry::builtin());
  const FakeClock clock;
  const CancelToken cancel;
  ScriptedHttp http(file);
  ServerOptions options;
  options.url = "http://127.0.0.1:1";
  options.retry.max_attempts = 2;
  options.retry.wait = [](double, const CancelToken&) {};
  GenerateEvents events;
  events.on_notice = [&](std::string_view notice) {
    require(is_valid_utf8(notice), "a notice that is no UTF-8", file);
  };
  options.on_retry = options.on_notice = events.on_notice;
  LlamaServer model(http, options, {}, vocabularies, events, clock, cancel);
  const auto info = model.open();
  if (!info) {
    check_error(info.error(), file);
  } else {
    talk(model, file);
  }
  return 0;
}
