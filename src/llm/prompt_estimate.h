#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "chat/chat_request.h"
#include "messages_api/message_tokens.h"

namespace pedro {

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
