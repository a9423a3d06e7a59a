// Tests tests/data/calls/openai.cases and anthropic.cases. A row is a body or a stream of events,
// and the parsed reply: "content", "parts" as in the other tables, "stop", "usage" (tokens of the
// prompt, of these cached, generated); or the "error".
#include "messages_api/model_reply.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "call_parser/call_examples.h"
#include "chat_format/callable_tools.h"
#include "messages_api/message_format.h"
#include "support/case_table.h"
#include "support/read_file.h"
#include "sys/http.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

Json in_json(const ContentChunk& chunk) {
  if (chunk.kind == ContentChunk::Kind::kText) return {{"text", chunk.text}};
  Json json = {{"thinking", chunk.text}};
  if (!chunk.closed) json["closed"] = false;
  if (chunk.signature) json["signature"] = *chunk.signature;
  if (chunk.redacted) json["redacted"] = true;
  return json;
}

Json in_json(const Result<ModelReply>& reply, const CallableTools& tools) {
  if (!reply) {
    CHECK(reply.error().kind == ErrorKind::kModel);
    return {{"error", reply.error().message}};
  }
  Json json = {{"content", Json::array()}, {"parts", Json::array()}};
  for (const ContentChunk& chunk : reply->message.content)
    json["content"].push_back(in_json(chunk));
  for (const CallPart& part : check_calls(reply->message.calls, KnownTools(tools.branches()))) {
    json["parts"].push_back(in_json(part));
  }
  json["stop"] = to_string(reply->stop);
  const Usage& usage = reply->usage;
  json["usage"] = {usage.prompt_tokens, usage.cached_tokens, usage.generated_tokens};
  return json;
}

struct StoredReply {
  std::string name;
  MessageFormat format;
  std::string reply;
  Json expected;

  bool is_body() const { return reply.starts_with('{'); }
};

std::vector<StoredReply> stored_replies() {
  std::vector<StoredReply> all;
  for (const MessageFormatRow& row : message_formats()) {
    const fs::path file = fs::path(TEST_DATA) / "calls" / fmt::format("{}.cases", row.name);
    for (TableCase& one : read_case_table(file)) {
      REQUIRE(one.expected.size() == 1);
      all.push_back({fmt::format("{}: {}", row.name, one.name), row.format, std::move(one.input),
                     *parse_json(one.expected[0])});
    }
  }
  return all;
}

CallableTools known_tools() {
  auto tools = CallableTools::read(read_file(fs::path(TEST_DATA) / "calls" / "tools.json"));
  REQUIRE(tools.ok());
  return *std::move(tools);
}

// Reads the stream in pieces that end at `cuts`, through the parser of server-sent events.
Result<ModelReply> read_stream(MessageFormat format, std::string_view stream,
                               const std::vector<std::size_t>& cuts) {
  ReplyStream reply(format);
  SseParser events;
  const auto feed = [&](std::string_view event) { (void)reply.feed(event, events.event_name()); };
  std::size_t from = 0;
  for (const std::size_t cut : cuts) {
    REQUIRE(events.feed(stream.substr(from, cut - from), feed));
    from = cut;
  }
  REQUIRE(events.feed(stream.substr(from), feed));
  events.finish(feed);
  return reply.finish();
}

Result<ModelReply> read_example(const StoredReply& example) {
  if (example.is_body()) return read_reply(example.format, example.reply);
  return read_stream(example.format, example.reply, {});
}

std::string openai_body(const std::string& message) {
  return R"({"choices":[{"message":)" + message + R"(,"finish_reason":"stop"}]})";
}

}  // namespace

TEST_CASE("replies: parses the answers of servers") {
  const CallableTools known = known_tools();
  std::size_t count = 0;
  for (const StoredReply& example : stored_replies()) {
    CAPTURE(example.name);
    ++count;
    CHECK(to_line(in_json(read_example(example), known)) == to_line(example.expected));
  }
  CHECK(count >= 50);
}

TEST_CASE("replies: a stream in pieces gives the same result as the whole stream") {
  const CallableTools known = known_tools();
  for (const StoredReply& example : stored_replies()) {
    if (example.is_body()) continue;
    CAPTURE(example.name);
    std::vector<std::size_t> everywhere;
    for (std::size_t at = 1; at < example.reply.size(); ++at) {
      everywhere.push_back(at);
      const auto cut = read_stream(example.format, example.reply, {at});
      REQUIRE(in_json(cut, known) == example.expected);
    }
    const auto bytes = read_stream(example.format, example.reply, everywhere);
    CHECK(in_json(bytes, known) == example.expected);
  }
}

TEST_CASE("replies: a stream that ends early is no reply, and its text is still available") {
  for (const StoredReply& example : stored_replies()) {
    if (example.is_body() || example.expected.contains("error")) continue;
    CAPTURE(example.name);
    ReplyStream reply(example.format);
    std::vector<std::pair<std::string, std::string>> events;
    SseParser parser;
    const auto keep = [&](std::string_view event) {
      events.emplace_back(event, parser.event_name());
    };
    REQUIRE(parser.feed(example.reply, keep));
    parser.finish(keep);
    for (const auto& [event, name] : events) {
      if (reply.so_far().stop == StopCause::kNotSaid) {
        ReplyStream cut = reply;
        CHECK_FALSE(cut.finish().ok());
      }
      REQUIRE(reply.feed(event, name).ok());
    }
    const std::size_t seen = reply.so_far().message.calls.size();
    const auto whole = reply.finish();
    REQUIRE(whole.ok());
    CHECK(whole->message.calls.size() == seen);
  }
}

TEST_CASE("replies: an error stays") {
  for (const MessageFormatRow& row : message_formats()) {
    ReplyStream reply(row.format);
    const Status first = reply.feed("[1]");
    REQUIRE_FALSE(first.ok());
    CHECK(first.error().message == "event 1: 1:1: expected an object, got an array");
    CHECK(reply.feed("{}").error().message == first.error().message);
    CHECK(reply.finish().error().message == first.error().message);
  }
}

TEST_CASE("replies: limits") {
  const ReplyLimits limits{.max_bytes = 1000, .max_parts = 3};
  const std::string long_text(1000, 'x');
  const auto message_of = [](const Result<ModelReply>& reply) {
    return reply.ok() ? "" : reply.error().message;
  };
  CHECK(message_of(read_openai_reply(openai_body("{\"content\":\"" + long_text + "\"}"), limits)) ==
        "reply: 1063 bytes, more than the limit of 1000");

  OpenAiReply openai(limits);
  AnthropicReply anthropic(limits);
  REQUIRE(anthropic.feed(R"({"type":"message_start"})").ok());
  const std::string block = R"({"type":"content_block_start","index":0,"content_block":)";
  REQUIRE(anthropic.feed(block + R"({"type":"text"}})").ok());
  Status of_openai;
  Status of_anthropic;
  for (int i = 0; i < 5; ++i) {
    const std::string text = "\"" + std::string(250, 'x') + "\"}}";
    of_openai = openai.feed(R"({"choices":[{"delta":{"content":)" + text + "]}");
    of_anthropic = anthropic.feed(
        R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":)" + text);
    CHECK(of_openai.ok() == (i < 4));
    CHECK(of_anthropic.ok() == (i < 4));
  }
  CHECK(of_openai.error().message.ends_with("more than 1000 bytes of content and calls"));
  CHECK(of_anthropic.error().message == "event 7: more than 1000 bytes of content and calls");

  const std::string calls = R"({"tool_calls":[{},{},{},{}]})";
  CHECK(message_of(read_openai_reply(openai_body(calls), limits)).ends_with("more than 3 calls"));
  const std::string blocks = R"({"content":[{"type":"x"},{"type":"x"},{"type":"x"},{}]})";
  CHECK(message_of(read_anthropic_reply(blocks, limits)).ends_with("more than 3 blocks"));
}

TEST_CASE("replies: megabytes cost little") {
  std::string members = "{";
  while (members.size() < (8U << 20U)) members += fmt::format("\"k{}\":1,", members.size());
  members += "\"z\":1}";
  const auto reply = read_openai_reply(openai_body(members));
  REQUIRE(reply.ok());
  CHECK(reply->message.content.empty());
  CHECK(read_anthropic_reply(R"({"content":[],"x":)" + members + "}").ok());
}

TEST_CASE("replies: arguments that lack a text are not waited for") {
  const auto schema = parse_schema(*parse_json(
      R"({"type": "object", "properties": {"path": {}, "text": {}}, "required": ["path"]})"));
  REQUIRE(schema.ok());
  const std::vector<CallBranch> branches = {{"write", "", &*schema, {"text"}}};
  const KnownTools tools(branches);
  const std::vector<RequestedCall> calls = {{"1", "write", R"({"path": "p"})"},
                                            {"2", "write", R"({"path": "p", "text": "t"})"},
                                            {"3", "write", "{}"}};
  const auto parts = check_calls(calls, tools);
  REQUIRE(parts.size() == 3);
  CHECK(to_line(std::get<ParsedCall>(parts[0]).args) == R"({"path":"p"})");
  CHECK(to_line(std::get<ParsedCall>(parts[1]).args) == R"({"path":"p","text":"t"})");
  CHECK(in_json(parts[2])["rejected"] == "bad-arguments");
}

TEST_CASE("replies: calls beyond the limits are rejected, not read") {
  std::vector<RequestedCall> calls(40, {"id", "f", "{}"});
  const auto parts = check_calls(calls, KnownTools({}));
  REQUIRE(parts.size() == CallLimits().max_calls + 1);
  CHECK(to_line(in_json(parts.back())) ==
        R"({"rejected":"too-many","place":"f","expected":"at most 32 calls","found":"one more"})");
  const auto long_call =
      check_calls({{{"", "f", std::string(2U << 20U, ' ') + "{}"}}}, KnownTools({}));
  CHECK(
      to_line(in_json(long_call.front())).starts_with(R"({"rejected":"too-long","place":"f: 1:)"));
  std::string members = "{";
  for (int i = 0; i < 300; ++i) members += fmt::format("\"k{}\":1,", i);
  const auto many = check_calls({{{"", "f", members + "\"z\":1}"}}}, KnownTools({}));
  CHECK(in_json(many.front())["expected"] == "an object with fewer members");
  const auto bytes = check_calls({{{"", "f", "{\"a\":\"\xff\"}"}}}, KnownTools({}));
  CHECK(in_json(bytes.front())["rejected"] == "not-json");
}

}  // namespace pedro
