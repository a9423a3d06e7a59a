// Reads any bytes as an answer in both message formats: as a body, as a stream of server-sent
// events, and as a stream whose events are the lines. The result must be UTF-8 within the limits.
// Each of its calls must be valid or have an error. A conversation with the reply must survive
// writing and reading. A stream in pieces must give the same result as the whole stream.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "fuzz/require.h"
#include "messages_api/message_format.h"
#include "messages_api/read_chat_request.h"
#include "sys/http.h"

namespace {

using namespace pedro;

constexpr ReplyLimits kLimits{.max_bytes = 1500, .max_parts = 20};

std::string shown(const Result<ModelReply>& reply) {
  if (!reply) return reply.error().message;
  std::string out;
  for (const ContentChunk& chunk : reply->message.content) {
    const bool thinks = chunk.kind == ContentChunk::Kind::kThinking;
    out += (thinks ? "think " : "text ") + chunk.text + (chunk.closed ? "\n" : " open\n") +
           chunk.signature.value_or("");
  }
  for (const RequestedCall& call : reply->message.calls) {
    out += "call " + call.id + " " + call.name + " " + call.arguments + "\n";
  }
  const Usage& usage = reply->usage;
  out += std::string(to_string(reply->stop)) + " " + reply->stop_reason + " " +
         std::to_string(usage.prompt_tokens) + " " + std::to_string(usage.cached_tokens);
  return out;
}

void check_parts(const std::vector<RequestedCall>& calls, std::string_view file) {
  const KnownTools tools({});
  for (const CallPart& part : check_calls(calls, tools)) {
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      require(call->args.is_object(), "arguments that are no object", file);
      require(!call->tool.empty(), "a call of nothing", file);
      continue;
    }
    const CallProblem& problem = std::get<RejectedText>(part).problem;
    require(is_valid_utf8(to_string(problem)), "a reason that is no UTF-8", file);
    require(!problem.expected.empty() && !problem.found.empty(), "a reason without words", file);
    require(to_string(problem).size() <= 1400, "a long reason", file);
  }
}

// Uses the reply in the next request.
void check_conversation(const ModelReply& reply, std::string_view file) {
  ChatRequest request;
  request.messages.push_back(reply.message);
  for (const MessageFormatRow& row : message_formats()) {
    for (const ChatRequest& one : {request, with_native_call_ids(row.format, request)}) {
      const Status valid = check_messages(row.format, one);
      require(!valid.ok() && is_valid_utf8(valid.error().message), "it ends with an answer", file);
      const auto body = render_messages(row.format, one);
      if (!body) continue;
      const JsonLimits deep{.max_depth = 300};
      require(parse_json(*body, deep).ok(), "a body that is no JSON", file);
      if (row.format != MessageFormat::kOpenAi) continue;
      const auto again = read_chat_request(*body);
      require(again.ok(), "a body that is no request", file);
      require(render_messages(row.format, *again).value() == *body, "another body", file);
    }
  }
}

void check(const Result<ModelReply>& reply, std::string_view file) {
  require(is_valid_utf8(shown(reply)), "what is no UTF-8", file);
  if (!reply) return require(reply.error().kind == ErrorKind::kModel, "another error", file);
  require(shown(reply).size() < 2 * kLimits.max_bytes + 2000, "more bytes than the limit", file);
  const std::size_t parts = reply->message.content.size() + reply->message.calls.size();
  require(parts <= kLimits.max_parts, "more parts than the limit", file);
  check_parts(reply->message.calls, file);
  check_conversation(*reply, file);
}

Result<ModelReply> read_stream(MessageFormat format, std::string_view file, std::size_t piece) {
  ReplyStream reply(format, kLimits);
  SseParser events;
  const auto feed = [&](std::string_view event) { (void)reply.feed(event); };
  for (std::size_t at = 0; at < file.size(); at += piece) {
    (void)events.feed(file.substr(at, piece), feed);
  }
  events.finish(feed);
  return reply.finish();
}

Result<ModelReply> read_lines(MessageFormat format, std::string_view file) {
  ReplyStream reply(format, kLimits);
  for (const std::string_view line : split_lines(file)) (void)reply.feed(line);
  return reply.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  for (const MessageFormatRow& row : message_formats()) {
    check(read_reply(row.format, file, kLimits), file);
    check(read_lines(row.format, file), file);
    const auto whole = read_stream(row.format, file, std::max<std::size_t>(size, 1));
    check(whole, file);
    for (const std::size_t piece : {1, 7}) {
      require(shown(read_stream(row.format, file, piece)) == shown(whole), "pieces differ", file);
    }
  }
  return 0;
}
