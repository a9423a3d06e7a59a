#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// tiktoken's own files as JSON (npm `tiktoken`, encoders/*.json): `pat_str` with the pattern,
/// `special_tokens` with names and ids, `bpe_ranks` with all else (see rank_list.h). A rank is the
/// token's id. As of a file of ranks (tiktoken_file.h), a piece that is a token is that token, and
/// "<|endoftext|>" is `eos`.
///
/// Claude's up to 2.1 (npm `@anthropic-ai/tokenizer`, claude.json) is such a file, and is known by
/// its special tokens "<META_START>" and "<META_END>": the program that came with it brings text
/// into normal form KC, which the file does not say. "<EOT>" is its `eos`.
///
/// An Error is "line:column: what is wrong" or "/bpe_ranks: byte 7: what is wrong".
Result<VocabularySource> read_tiktoken_json(std::string_view bytes);

}  // namespace pedro
