#pragma once

#include <string>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// All that is in `source`, for a comparison of whole values: what is set, then a line for each
/// token ("3 control '<s>'", with "\xHH" for what is not printable and the score where there is
/// one) and for each merge ("1 + 2 = 3").
std::string to_text(const VocabularySource& source);

/// The same of a Result: its error.
std::string to_text(const Result<VocabularySource>& source);

/// "0 normal 'a'" and so on, a line each.
std::string to_text(const TokenList& tokens);

}  // namespace pedro
