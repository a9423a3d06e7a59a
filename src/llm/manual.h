#pragma once

#include <functional>
#include <span>
#include <string>

#include "llm/model.h"

namespace pedro {

/// Shows new messages to the user and returns the user's reply. Errors (kModel): the user ends the
/// session, or the reply is too long.
using AskPerson = std::function<Result<std::string>(std::span<const ChatMessage> new_messages)>;

/// A user in place of a model: for testing prompts and tools by hand, and for recordings with
/// -record. Token counts are estimates of three bytes per token.
class ManualModel : public Model {
 public:
  ManualModel(AskPerson ask, long long context_tokens)
      : ask_(std::move(ask)), context_tokens_(context_tokens) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  /// Shows no message again, and does not show replacements of removed messages.
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;
  void begin_anew() override {
    shown_ = 0;
    prompt_bytes_ = 0;
  }

 private:
  AskPerson ask_;
  long long context_tokens_;
  std::size_t shown_ = 0;  // number of messages
  long long prompt_bytes_ = 0;
};

}  // namespace pedro
