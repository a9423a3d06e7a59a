#pragma once

#include "base/result.h"
#include "tokenizer/gguf_file.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Reads the vocabulary of a GGUF file like llama.cpp v0.5.0 (Fidelity::kLlamaCpp). Differences
/// from the contents of the file: see gguf_token_kinds.h, and
///   - tokenizer.ggml.pre selects patterns and defaults (pre_tokenizer_table.h);
///   - defaults replace ids of special tokens that are out of range;
///   - an empty token is "[EMPTY_7]".
/// tokenizer.ggml.model may be "gpt2", "whitespace" and "gemma4" (merges) or "llama" (scores).
/// Errors (kConfig): other models (bert, t5, rwkv, plamo2 ...), two tokens with the same text, and
/// merges of texts that are not tokens. llama.cpp does not support the last two either.
///
/// Limitations of VocabularySource: llama.cpp strips white space around special tokens of Phi-3 and
/// of some embedding models. In Gemma 4 a run of newlines that is a token is not merged, as with
/// `ignore_merges` for these pieces.
Result<VocabularySource> read_gguf_vocabulary(const GgufFile& file);

}  // namespace pedro
