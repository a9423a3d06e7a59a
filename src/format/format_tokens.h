#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "format/format_family.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Which tokens that a family writes a vocabulary does not have, in the order in which they are
/// written.
struct MissingTokens {
  std::vector<std::string> control;  ///< nothing can be written without them
  std::vector<std::string> tags;     ///< written as text
};

/// Looks at what is written in a conversation with a system prompt, tools, a call and its result.
/// Asks the tokenizer once. Errors are the tokenizer's.
Result<MissingTokens> missing_tokens(const FormatFamily& family, Tokenizer& tokenizer);

/// "<a>, <b>, <c> and 4 more"
std::string some_of(const std::vector<std::string>& names);

}  // namespace pedro
