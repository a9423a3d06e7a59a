#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Where a vocabulary's ids are not the server's.
struct ProbeMismatch {
  std::string text;        ///< the name of the text that shows it
  bool specials = false;   ///< whether special tokens were recognised in it
  std::size_t offset = 0;  ///< in bytes, of the first piece that differs
  std::string bytes;       ///< that piece: up to where both have a boundary again
  std::vector<TokenId> ours;
  std::vector<TokenId> theirs;
  std::string shown_ours;  ///< the ids with their texts: `1311:"action"`
  std::string shown_theirs;

  /// In a sentence; `name` is what the vocabulary is called.
  std::string to_text(std::string_view name) const;
};

/// What a check of a vocabulary against a server found.
struct ProbeResult {
  std::size_t texts = 0;
  std::optional<ProbeMismatch> mismatch;  ///< the first
};

/// Compares a vocabulary's ids with a server's, in three requests: for the fixed texts of
/// probe.json (letters, code, digits, marks, emoji, Chinese, blanks, what control tokens look
/// like), for the server's chat template, and for the vocabulary's own special tokens, each with
/// special tokens left alone and recognised; and for the ids a prompt begins with. Errors are the
/// server's.
Result<ProbeResult> probe_vocabulary(VocabularyTokenizer& vocabulary, Tokenizer& server,
                                     std::string_view chat_template);

/// The same for the text of each token that is text, special tokens left alone: a token or a merge
/// that is not the server's is found, whichever it is. Takes the server a second or two.
Result<ProbeResult> probe_tokens(VocabularyTokenizer& vocabulary, Tokenizer& server);

}  // namespace pedro
