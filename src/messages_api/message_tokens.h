#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Estimates the tokens of a prompt of messages before it is sent. Adds an estimate of new messages
/// (MessageTokens) to the server's count of the conversation. Scales the estimate by the error of
/// recent estimates. Conversations may only grow. After any other change, call begin_anew(), which
/// discards all counts and keeps the scale.
class PromptEstimate {
 public:
  /// Borrows `tokens`.
  explicit PromptEstimate(const MessageTokens& tokens) : tokens_(&tokens) {}

  /// Returns true if the server has counted a prefix of the conversation.
  bool is_counted() const { return counted_messages_ > 0; }

  void begin_anew();

  /// Returns the estimated tokens of a request. O(new messages since the last call).
  long long of(const ChatRequest& request);

  /// Records the server's counts for `request`, the last argument of of(). The reply must become
  /// the next message.
  void counted(const ChatRequest& request, long long prompt_tokens, long long generated_tokens);

  /// Removes the reply of the last counted(), which does not become a message.
  void withdraw();

 private:
  const MessageTokens* tokens_;
  std::vector<long long> sums_ = {0};  // estimated tokens of the first i messages
  long long rest_ = -1;  // estimated tokens outside of messages; below 0: not computed
  double ratio_ = 1;     // server's count divided by the estimate
  bool has_ratio_ = false;
  std::size_t counted_messages_ = 0;
  long long counted_tokens_ = 0;
  std::optional<long long> reply_tokens_;  // part of counted_tokens_; nullopt: not counted
};

}  // namespace pedro
