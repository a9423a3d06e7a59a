#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Reads tiktoken's JSON files (npm `tiktoken`, encoders/*.json): `pat_str` with the pattern,
/// `special_tokens` with names and ids, `bpe_ranks` with the other tokens (rank_list.h). A rank is
/// the token's id. As in a file of ranks (tiktoken_file.h), a piece that is a token is not merged,
/// and "<|endoftext|>" is `eos`.
///
/// The vocabulary of Claude up to 2.1 (npm `@anthropic-ai/tokenizer`, claude.json) has this format.
/// Its special tokens "<META_START>" and "<META_END>" identify it. Its program normalizes text to
/// form KC, which the file does not specify. "<EOT>" is its `eos`.
///
/// An Error (kConfig) is "line:column: reason" or "/bpe_ranks: byte 7: reason".
Result<VocabularySource> read_tiktoken_json(std::string_view bytes);

}  // namespace pedro
