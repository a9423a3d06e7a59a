#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "chat/chat_request.h"

namespace pedro {

/// How many tokens a model has for a text, or about so many.
using CountTokensOf = std::function<long long(std::string_view text)>;

/// What messages take in the prompt of a model behind an API that does not show it. Sums, so that
/// a conversation that grows is counted by what is new.
class MessageTokens {
 public:
  virtual ~MessageTokens() = default;
  /// A message, with what is written around it.
  virtual long long of_message(const ChatMessage& message) const = 0;
  /// All that is in a request beside its messages: tools, what a reply begins with.
  virtual long long of_the_rest(const ChatRequest& request) const = 0;
};

/// As OpenAI's chat completions count them, with the tokens of `count`: the 32 requests that
/// gpt-tokenizer 4.0.0 has with the API's own counts come out exactly (with o200k_base). Tools are
/// counted as the TypeScript that the API makes of them, see typescript_of(). Calls and their
/// results were measured in their older form, functions, one in a message; models that think are
/// not among what was measured.
std::unique_ptr<MessageTokens> openai_message_tokens(CountTokensOf count);

/// As Anthropic's messages count them: an estimate. Texts by `count`; around messages and tools the
/// constants that ai-tokenizer fitted to the API's counts for Claude 4.5.
std::unique_ptr<MessageTokens> anthropic_message_tokens(CountTokensOf count);

/// Tools as OpenAI's servers show them to a model: a namespace of TypeScript types.
std::string typescript_of(std::span<const DeclaredTool> tools);

}  // namespace pedro
