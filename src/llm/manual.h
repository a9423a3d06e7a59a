#pragma once

#include <functional>
#include <span>
#include <string>

#include "llm/model.h"

namespace pedro {

/// Shows a person the messages that are new and gives back the reply they wrote; kModel where they
/// end it or write more than a reply may have.
using AskPerson = std::function<Result<std::string>(std::span<const ChatMessage> new_messages)>;

/// A person in the model's place: for trying prompts and tools by hand, and, with -record, for
/// making recordings. Counts are estimates of three bytes a token.
class ManualModel : public Model {
 public:
  ManualModel(AskPerson ask, long long context_tokens)
      : ask_(std::move(ask)), context_tokens_(context_tokens) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  /// What was shown is not shown again; what stands in the place of what left is not either.
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;
  void begin_anew() override {
    shown_ = 0;
    prompt_bytes_ = 0;
  }

 private:
  AskPerson ask_;
  long long context_tokens_;
  std::size_t shown_ = 0;  // of the messages
  long long prompt_bytes_ = 0;
};

}  // namespace pedro
