// Runs the conversations of turns.requests.jsonl in both message formats on a real llama-server. It
// must accept our requests, and we must read its answers, whole and streamed. Equal prompts must
// have equal replies in both formats, because the server keeps no state between requests.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/json.h"
#include "base/text.h"
#include "chat_format/callable_tools.h"
#include "messages_api/message_format.h"
#include "messages_api/read_chat_request.h"
#include "support/read_file.h"
#include "sys/http.h"

namespace pedro {
namespace {

constexpr int kMaxTokens = 8;
constexpr int kMaxCallTokens = 300;

constexpr std::string_view kTools = R"([{"type":"function","function":{"name":"f","parameters":{
    "type":"object","properties":{"a":{"enum":["x","yy"]}},"required":["a"],
    "additionalProperties":false}}}])";

struct Conversation {
  std::string name;
  ChatRequest request;
};

std::vector<Conversation> conversations() {
  const std::string text = read_file(TEST_DATA "/format/turns.requests.jsonl");
  std::vector<Conversation> all;
  for (const std::string_view line : split_lines(text)) {
    auto request = read_chat_request(line);
    REQUIRE(request.ok());
    all.push_back({text_of(*parse_json(line), "name"), *std::move(request)});
  }
  return all;
}

std::string_view path_of(MessageFormat format) {
  return format == MessageFormat::kOpenAi ? "/v1/chat/completions" : "/v1/messages";
}

class Server {
 public:
  Server() {
    const char* url = std::getenv("PEDROCLI_SERVER_URL");
    REQUIRE(url != nullptr);
    url_ = url;
  }

  // Sends the conversation's part of the body with additional options.
  std::string ask(MessageFormat format, const std::string& conversation, int max_tokens,
                  bool stream) {
    std::string body = conversation;
    body.insert(1,
                fmt::format(R"("max_tokens":{},"temperature":0,"stream":{},{})", max_tokens, stream,
                            stream ? R"("stream_options":{"include_usage":true},)" : ""));
    HttpRequest request;
    request.method = "POST";
    request.url = url_ + std::string(path_of(format));
    request.headers = {"Content-Type: application/json"};
    request.body = body;
    const auto response = http_.send(request, nullptr, cancel_);
    REQUIRE_MESSAGE(response.ok(), response.error().message);
    CHECK_MESSAGE(response->status == 200, response->body);
    return response->body;
  }

 private:
  std::string url_;
  CurlHttp http_;
  CancelToken cancel_;
};

Result<ModelReply> read_stream(MessageFormat format, std::string_view stream) {
  ReplyStream reply(format);
  SseParser events;
  const auto feed = [&](std::string_view event) { (void)reply.feed(event); };
  REQUIRE(events.feed(stream, feed));
  events.finish(feed);
  return reply.finish();
}

std::string said(const ModelReply& reply) {
  std::string all;
  for (const ContentChunk& chunk : reply.message.content) all += chunk.text;
  return all;
}

// Extracts the reply's text in another way: from a JSON tree.
std::string said_in(MessageFormat format, const std::string& body) {
  const Json json = *parse_json(body);
  if (format == MessageFormat::kOpenAi) return json["choices"][0]["message"]["content"];
  std::string all;
  for (const Json& block : json["content"]) all += text_of(block, "text");
  return all;
}

// Reads the server's complete answer, and checks that the streamed one is equal.
ModelReply answer(Server& server, MessageFormat format, const ChatRequest& request) {
  const auto conversation = render_messages(format, request);
  REQUIRE_MESSAGE(conversation.ok(), conversation.error().message);
  const std::string body = server.ask(format, *conversation, kMaxTokens, false);
  const auto whole = read_reply(format, body);
  REQUIRE_MESSAGE(whole.ok(), whole.error().message);
  const auto streamed = read_stream(format, server.ask(format, *conversation, kMaxTokens, true));
  REQUIRE_MESSAGE(streamed.ok(), streamed.error().message);

  CHECK(said(*whole) == said_in(format, body));
  CHECK(said(*whole) == said(*streamed));
  CHECK(whole->stop_reason == streamed->stop_reason);
  CHECK((whole->stop == StopCause::kEnd || whole->stop == StopCause::kLength));
  CHECK(whole->usage.prompt_tokens > 0);
  CHECK(whole->usage.generated_tokens > 0);
  CHECK(whole->usage.generated_tokens <= kMaxTokens);
  CHECK(whole->usage.prompt_tokens == streamed->usage.prompt_tokens);
  CHECK(whole->usage.generated_tokens == streamed->usage.generated_tokens);
  // The prompt is cached by now. The server evaluates the last token of a cached prompt again.
  CHECK(streamed->usage.cached_tokens == streamed->usage.prompt_tokens - 1);
  return *whole;
}

}  // namespace

TEST_CASE("messages: a server accepts our requests and reads the same in both formats") {
  // In these conversations, /v1/messages gets different contents, so the prompt differs.
  const std::vector<std::string> kDifferent = {
      "empty contents",  // every turn has text
  };
  Server server;
  std::size_t same = 0;
  for (const Conversation& conversation : conversations()) {
    CAPTURE(conversation.name);
    const ModelReply openai = answer(server, MessageFormat::kOpenAi, conversation.request);
    const ModelReply anthropic = answer(server, MessageFormat::kAnthropic, conversation.request);
    const bool is_same = openai.usage.prompt_tokens == anthropic.usage.prompt_tokens &&
                         said(openai) == said(anthropic);
    const bool is_other =
        std::find(kDifferent.begin(), kDifferent.end(), conversation.name) != kDifferent.end();
    CHECK(is_same != is_other);
    same += is_same ? 1 : 0;
    fmt::print("{:<46} {:>4} {:>4} tokens, {}\n", conversation.name, openai.usage.prompt_tokens,
               anthropic.usage.prompt_tokens, is_same ? "the same reply" : "another reply");
  }
  CHECK(same >= 12);
}

TEST_CASE("messages: a request that a server rejects is an error with its words") {
  Server server;
  const auto refused = [&](MessageFormat format, const std::string& body) {
    HttpRequest request;
    request.method = "POST";
    request.url = std::getenv("PEDROCLI_SERVER_URL") + std::string(path_of(format));
    request.body = body;
    CurlHttp http;
    const CancelToken cancel;
    const auto response = http.send(request, nullptr, cancel);
    REQUIRE(response.ok());
    CHECK(response->status >= 400);
    const auto reply = read_reply(format, response->body);
    return reply.ok() ? "" : reply.error().message;
  };
  CHECK(refused(MessageFormat::kOpenAi, "{}").find("'messages' is required") != std::string::npos);
  CHECK(refused(MessageFormat::kAnthropic, "{}").find("'messages' is required") !=
        std::string::npos);
}

// Needs a server whose model makes calls: see with-calls.
TEST_CASE("calls: a server's version of a call is read, whole and in pieces" * doctest::skip()) {
  const auto tools = CallableTools::read(kTools);
  REQUIRE(tools.ok());
  auto request = read_chat_request(R"({"messages":[{"role":"user","content":"Hi"}],)" +
                                   fmt::format(R"("tools":{},"tool_choice":"required"}})", kTools));
  REQUIRE(request.ok());
  const KnownTools known(tools->branches());
  Server server;
  std::vector<std::string> found;  // the calls of a reply
  for (const MessageFormatRow& row : message_formats()) {
    CAPTURE(row.name);
    const std::string body = *render_messages(row.format, *request);
    const auto whole = read_reply(row.format, server.ask(row.format, body, kMaxCallTokens, false));
    const auto streamed =
        read_stream(row.format, server.ask(row.format, body, kMaxCallTokens, true));
    for (const auto& reply : {whole, streamed}) {
      REQUIRE_MESSAGE(reply.ok(), reply.error().message);
      CHECK(reply->stop == StopCause::kCalls);
      found.emplace_back();
      for (const CallPart& part : check_calls(reply->message.calls, known)) {
        const auto* call = std::get_if<ParsedCall>(&part);
        REQUIRE_MESSAGE(call != nullptr, to_string(std::get<RejectedText>(part).problem));
        CHECK_FALSE(call->id.empty());
        found.back() += call->tool + " " + to_line(call->args) + " ";
      }
      fmt::print("{}: {}\n", row.name, found.back());
    }
    // The next request contains the calls and their results, with the server's own ids.
    ChatRequest next = *request;
    next.messages.push_back(streamed->message);
    for (const RequestedCall& call : streamed->message.calls) {
      ChatMessage result;
      result.role = Role::kTool;
      result.content.push_back({ContentChunk::Kind::kText, "done"});
      result.call_id = call.id;
      next.messages.push_back(result);
    }
    const Status valid = check_messages(row.format, next);
    CHECK_MESSAGE(valid.ok(), valid.error().message);
    const auto after = read_reply(
        row.format, server.ask(row.format, *render_messages(row.format, next), 4, false));
    REQUIRE_MESSAGE(after.ok(), after.error().message);
    CHECK(after->usage.prompt_tokens > streamed->usage.prompt_tokens);
  }
  CHECK_FALSE(found[0].empty());
  CHECK(std::all_of(found.begin(), found.end(), [&](const auto& one) { return one == found[0]; }));
}

}  // namespace pedro
