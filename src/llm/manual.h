#pragma once

#include <functional>
#include <span>
#include <string>

#include "llm/model.h"

namespace pedro {

/// Shows a person the turns that are new and gives back the reply they wrote; kModel where they end
/// it or write more than a reply may have.
using AskPerson = std::function<Result<std::string>(std::span<const Message> new_turns)>;

/// A person in the model's place: for trying prompts and tools by hand, and, with -record, for
/// making recordings. Counts are estimates of three bytes a token.
class ManualModel : public Model {
 public:
  ManualModel(AskPerson ask, long long context_tokens)
      : ask_(std::move(ask)), context_tokens_(context_tokens) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<long long> count(std::span<const Message> conversation) override;

 private:
  AskPerson ask_;
  long long context_tokens_;
  std::size_t shown_turns_ = 0;
};

}  // namespace pedro
