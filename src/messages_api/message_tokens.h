#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "chat/chat_request.h"

namespace pedro {

/// Returns the number of tokens of a text, exactly or approximately.
using CountTokensOf = std::function<long long(std::string_view text)>;

/// Counts the tokens of messages in the prompt of a model whose API does not show it. Counts are
/// additive, so a growing conversation needs counts of its new messages only.
class MessageTokens {
 public:
  virtual ~MessageTokens() = default;
  /// A message with the tokens around it.
  virtual long long of_message(const ChatMessage& message) const = 0;
  /// Everything in a request except its messages: tools and the start of the reply.
  virtual long long of_the_rest(const ChatRequest& request) const = 0;
};

/// Counts like OpenAI's chat completions, with the tokens of `count`. With o200k_base, it matches
/// all 32 requests of gpt-tokenizer 4.0.0 with known counts of the API. Tools count as the
/// TypeScript that the API generates, see typescript_of(). Calls and results were measured in the
/// older form, functions, with one per message. Reasoning models were not measured.
std::unique_ptr<MessageTokens> openai_message_tokens(CountTokensOf count);

/// Estimates the counts of Anthropic's messages. Texts count by `count`. The constants for messages
/// and tools are those that ai-tokenizer fitted to the API's counts for Claude 4.5.
std::unique_ptr<MessageTokens> anthropic_message_tokens(CountTokensOf count);

/// Returns tools as OpenAI's servers show them to a model: a namespace of TypeScript types.
std::string typescript_of(std::span<const DeclaredTool> tools);

}  // namespace pedro
