#pragma once

#include <string>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Prints all of `source`, to compare complete values: first the settings. Then a line for each
/// token: "3 control '<s>'", with "\xHH" for non-printable bytes, and the score if there is one.
/// Then a line for each merge: "1 + 2 = 3".
std::string to_text(const VocabularySource& source);

/// Prints the source, or the error.
std::string to_text(const Result<VocabularySource>& source);

/// Prints a line "0 normal 'a'" for each token.
std::string to_text(const TokenList& tokens);

}  // namespace pedro
