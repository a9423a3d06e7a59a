#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "chat_format/call_form.h"
#include "chat_format/prompt_encoder.h"
#include "llm/slot_completion.h"

namespace pedro {

/// The thinking at the start of a reply.
struct Thought {
  std::string text;           ///< without its delimiters; valid UTF-8
  std::vector<TokenId> ids;   ///< after ThinkingForm::open, including the closing text and the lead
  std::size_t evaluated = 0;  ///< number of `ids` that the server has evaluated
  bool is_cut = false;        ///< cut at the limit, or the model ended the reply
  Usage usage;
};

/// Requests a continuation of the prompt up to the text `stop`.
using AskThinking = std::function<Result<Completion>(std::string_view stop)>;

/// Generates thinking after ThinkingForm::open, in one request. Closes it if the model did not, and
/// appends `lead`. Keeps tokens that contain the end together with following text.
Result<Thought> think(const ThinkingForm& form, const Prompt& lead, PromptEncoder& encoder,
                      const AskThinking& ask);

}  // namespace pedro
