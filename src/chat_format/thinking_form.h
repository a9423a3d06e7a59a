#pragma once

#include <string>

#include "chat_format/prompt.h"

namespace pedro {

/// The form of a reply that begins with thinking: `open` THINKING `end` `behind_end` TEXT. If a
/// limit cuts the thinking, `close` replaces `end` and `behind_end`.
struct ThinkingForm {
  Prompt open;      ///< after the opening of a reply; no parts if that opens the thinking
  std::string end;  ///< "</think>": text, or the name of a control token
  Prompt behind_end;
  Prompt close;
};

}  // namespace pedro
