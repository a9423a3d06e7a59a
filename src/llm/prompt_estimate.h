#pragma once

#include <cstddef>
#include <vector>

#include "chat/chat_request.h"
#include "format/message_tokens.h"

namespace pedro {

/// How many tokens a prompt of messages has, as well as it can be told before it is sent: what the
/// server counted of the conversation so far, and of what is new what MessageTokens says, times
/// what that was wrong by lately. A conversation is appended to; where it is changed otherwise,
/// begin_anew() has to be called, and nothing that was counted is believed any more but how wrong
/// estimates are.
class PromptEstimate {
 public:
  /// Borrows it.
  explicit PromptEstimate(const MessageTokens& tokens) : tokens_(&tokens) {}

  /// The server has counted what of() begins with.
  bool is_counted() const { return counted_messages_ > 0; }

  void begin_anew();

  /// O(what is new since the last call).
  long long of(const ChatRequest& request);

  /// The server counted so many of this request, of() which was asked last, and made a reply that
  /// will be its next message.
  void counted(const ChatRequest& request, long long prompt_tokens, long long generated_tokens);

 private:
  const MessageTokens* tokens_;
  std::vector<long long> sums_ = {0};  // of the messages up to each, as estimated
  long long rest_ = -1;                // beside them; below 0: not looked at yet
  double ratio_ = 1;                   // of what the server counted to what was estimated
  bool has_ratio_ = false;
  std::size_t counted_messages_ = 0;
  long long counted_tokens_ = 0;
};

}  // namespace pedro
