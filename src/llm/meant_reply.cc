#include "llm/meant_reply.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "llm/length_refusal.h"
#include "llm/loose_calls.h"
#include "llm/server_refusal.h"
#include "messages_api/reply_json.h"

namespace pedro {

std::vector<RequestedCall> with_names(std::vector<RequestedCall> calls,
                                      std::span<const CallBranch> known) {
  for (RequestedCall& call : calls) {
    const bool is_whole =
        trim(call.name).empty() ||
        (call.name.find_first_of("{([<") != std::string::npos && is_empty_object(call.arguments));
    if (!is_whole) continue;
    const std::vector<CallPart> parts =
        loose_calls(trim(call.name).empty() ? call.arguments : call.name, known);
    const auto* found = parts.size() == 1 ? std::get_if<ParsedCall>(&parts.front()) : nullptr;
    if (found == nullptr) continue;
    call.name = found->tool;
    call.arguments = to_line(found->args);
  }
  return calls;
}

bool has_whole_calls(const ModelReply& reply, long long max_tokens) {
  const std::vector<RequestedCall>& calls = reply.message.calls;
  const long long tokens = reply.usage.generated_tokens;
  if (reply.stop != StopCause::kLength || calls.empty() || tokens <= 0 || tokens >= max_tokens) {
    return false;
  }
  return std::all_of(calls.begin(), calls.end(), [](const RequestedCall& call) {
    const Result<Json> json = parse_json(call.arguments);
    return json && json->is_object() && !json->empty();
  });
}

bool is_blank(const ChatMessage& message) {
  return message.calls.empty() &&
         std::all_of(message.content.begin(), message.content.end(),
                     [](const ContentChunk& chunk) { return trim(chunk.text).empty(); });
}

std::optional<Overflow> length_refusal_in(const ModelReply& reply) {
  constexpr std::size_t kMostBytes = 400;
  const std::string text = text_of(reply.message);
  const bool may_be = reply.message.calls.empty() && text.size() <= kMostBytes;
  if (!may_be || !to_lower(trim(text)).starts_with("error")) return std::nullopt;
  ServerRefusal refusal;
  refusal.status = 400;
  refusal.message = text;
  return read_length_refusal(refusal);
}

}  // namespace pedro
