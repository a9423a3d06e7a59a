#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Mistral's tekken.json (https://github.com/mistralai/mistral-common, tekken.py): `config` with
/// the pattern and the sizes, `vocab` with ranks, `special_tokens`. The special tokens come first,
/// all of them control tokens; where the file has fewer than its config says, the rest are
/// "<SPECIAL_20>" and so on, and where it has none (version v3 and v7) they are those that Mistral
/// had then. A rank's id is behind them, and what does not fit into `default_vocab_size` is left
/// out. "<s>" begins a prompt.
///
/// Instead of `vocab` there may be `bpe_ranks`, as in tiktoken's own JSON files (rank_list.h).
///
/// An Error is "line:column: what is wrong" or "/config/pattern: what is wrong".
Result<VocabularySource> read_tekken(std::string_view bytes);

}  // namespace pedro
