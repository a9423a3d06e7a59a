#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "format/prompt_encoder.h"
#include "format/thinking_form.h"
#include "llm/slot_completion.h"

namespace pedro {

/// What a reply begins with where the model thinks first.
struct Thought {
  std::string text;           ///< without what stands around it; valid UTF-8
  std::vector<TokenId> ids;   ///< behind ThinkingForm::open, with what closes it and the lead
  std::size_t evaluated = 0;  ///< how many of them a server has evaluated
  bool is_cut = false;        ///< at the limit, or the model ended its whole reply
  Usage usage;
};

/// Asks for what stands behind the prompt, up to the text `stop`.
using AskThinking = std::function<Result<Completion>(std::string_view stop)>;

/// Lets the model think behind ThinkingForm::open, in one request; closes that where the model did
/// not, and puts `lead` behind. What a vocabulary has in one token with the end stays as it is.
Result<Thought> think(const ThinkingForm& form, const Prompt& lead, PromptEncoder& encoder,
                      const AskThinking& ask);

}  // namespace pedro
