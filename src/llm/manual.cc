#include "llm/manual.h"

#include "call_parser/call_parser.h"

namespace pedro {
namespace {

constexpr long long kDefaultContext = 32768;

}  // namespace

Result<ModelInfo> ManualModel::open() {
  ModelInfo info;
  info.name = "a person";
  info.backend = "manual";
  info.is_person = true;
  info.context_tokens = context_tokens_ > 0 ? context_tokens_ : kDefaultContext;
  return info;
}

Result<Reply> ManualModel::generate(const GenerateRequest& request) {
  const std::span<const ChatMessage> messages = request.chat.messages;
  PEDRO_TRY(std::string text, ask_(messages.subspan(shown_)));
  for (const ChatMessage& message : messages.subspan(shown_)) {
    prompt_bytes_ += static_cast<long long>(text_of(message).size());
  }
  shown_ = messages.size() + 1;  // the reply is not shown again
  Reply reply;
  reply.usage.prompt_tokens = prompt_bytes_ / kBytesPerToken;
  reply.usage.generated_tokens = static_cast<long long>(text.size()) / kBytesPerToken;
  prompt_bytes_ += static_cast<long long>(text.size());
  reply.parts = parse_calls(text, CallSyntax::kJson, request.calls, CallChecks::kNothing);
  reply.text = std::move(text);
  return reply;
}

Status ManualModel::compacted(const ChatRequest& chat, std::span<const std::size_t> origins) {
  std::size_t shown = 0;
  while (shown < origins.size() && (origins[shown] == kChanged || origins[shown] < shown_)) ++shown;
  shown_ = shown;
  prompt_bytes_ = 0;
  for (std::size_t i = 0; i < shown_; ++i) {
    prompt_bytes_ += static_cast<long long>(text_of(chat.messages[i]).size());
  }
  return {};
}

}  // namespace pedro
