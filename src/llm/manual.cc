#include "llm/manual.h"

namespace pedro {
namespace {

constexpr long long kBytesPerToken = 3;
constexpr long long kDefaultContext = 32768;

}  // namespace

Result<ModelInfo> ManualModel::open() {
  ModelInfo info;
  info.name = "a person";
  info.backend = "manual";
  info.context_tokens = context_tokens_ > 0 ? context_tokens_ : kDefaultContext;
  return info;
}

Result<Reply> ManualModel::generate(const GenerateRequest& request) {
  Result<std::string> text = ask_(request.conversation.subspan(shown_turns_));
  if (!text) return text.error();
  shown_turns_ = request.conversation.size() + 1;  // the reply need not be shown again
  const Result<long long> prompt = count(request.conversation);
  Reply reply;
  reply.usage.prompt_tokens = *prompt;
  reply.usage.generated_tokens = static_cast<long long>(text->size()) / kBytesPerToken;
  reply.text = std::move(*text);
  return reply;
}

Result<long long> ManualModel::count(std::span<const Message> conversation) {
  long long bytes = 0;
  for (const Message& turn : conversation) bytes += static_cast<long long>(turn.text.size());
  return bytes / kBytesPerToken;
}

}  // namespace pedro
