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

/// The first difference between the ids of a vocabulary and of a server.
struct ProbeMismatch {
  std::string text;        ///< the name of the text with the difference
  bool specials = false;   ///< special tokens were recognized in it
  std::size_t offset = 0;  ///< of the first piece that differs, in bytes
  std::string bytes;       ///< the piece up to the next common boundary
  std::vector<TokenId> ours;
  std::vector<TokenId> theirs;
  std::string shown_ours;  ///< the ids with their texts: `1311:"action"`
  std::string shown_theirs;

  /// Describes the difference in a sentence. `name` is the name of the vocabulary.
  std::string to_text(std::string_view name) const;
};

/// The result of comparing a vocabulary with a server.
struct ProbeResult {
  std::size_t texts = 0;
  std::optional<ProbeMismatch> mismatch;  ///< the first
};

/// Compares the ids of a vocabulary with those of a server in three requests. The texts are those
/// of probe.json, the server's chat template and the vocabulary's special tokens. probe.json has
/// letters, code, digits, marks, emoji, Chinese, blanks, and texts like control tokens. Each text
/// is encoded with and without special tokens. The ids that begin a prompt are also compared.
/// Errors are those of the server.
Result<ProbeResult> probe_vocabulary(VocabularyTokenizer& vocabulary, Tokenizer& server,
                                     std::string_view chat_template);

/// Compares the text of each normal or user-defined token, without special tokens. Detects any
/// token or merge that differs from the server's. Takes the server a second or two.
Result<ProbeResult> probe_tokens(VocabularyTokenizer& vocabulary, Tokenizer& server);

}  // namespace pedro
