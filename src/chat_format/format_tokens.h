#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "chat_format/format_family.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The tokens of a family that a vocabulary lacks, in the order of their use.
struct MissingTokens {
  std::vector<std::string> control;  ///< required for any prompt
  std::vector<std::string> tags;     ///< written as text
};

/// Finds missing tokens in a conversation with a system prompt, tools, a call and its result. Sends
/// one request to the tokenizer. Errors are the tokenizer's.
Result<MissingTokens> missing_tokens(const FormatFamily& family, Tokenizer& tokenizer);

/// Returns at most three of the names: "<a>, <b>, <c> and 4 more".
std::string some_of(const std::vector<std::string>& names);

}  // namespace pedro
