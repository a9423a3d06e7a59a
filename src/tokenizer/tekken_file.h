#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Reads Mistral's tekken.json (https://github.com/mistralai/mistral-common, tekken.py): `config`
/// with the pattern and the sizes, `vocab` with ranks, `special_tokens`. The special tokens come
/// first; all are control tokens. If the file lists fewer than its config declares, the rest are
/// "<SPECIAL_20>" and so on. If it has no list (versions v3 and v7), the tokens of those versions
/// apply. The id of a token is its rank plus the number of special tokens. Tokens beyond
/// `default_vocab_size` are dropped. "<s>" begins a prompt.
///
/// `bpe_ranks` may replace `vocab`, as in tiktoken's JSON files (rank_list.h).
///
/// An Error (kConfig) is "line:column: reason" or "/config/pattern: reason".
Result<VocabularySource> read_tekken(std::string_view bytes);

}  // namespace pedro
