#pragma once

#include <string>

#include "format/prompt.h"

namespace pedro {

/// How a reply that is begun with thinking is written: `open` THINKING `end` `behind_end` and then
/// what is said. Where a limit cuts the thinking, `close` stands there instead of the end and what
/// is behind it.
struct ThinkingForm {
  Prompt open;      ///< behind the opening of a reply; no parts where that opens it
  std::string end;  ///< "</think>": text, or the name of a control token
  Prompt behind_end;
  Prompt close;
};

}  // namespace pedro
