#pragma once

#include "base/result.h"
#include "tokenizer/gguf_file.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// The vocabulary in a GGUF file as llama.cpp v0.5.0 reads it (fidelity kLlamaCpp), which is not
/// always as the file says: see gguf_token_kinds.h, and
///   - tokenizer.ggml.pre stands for patterns and defaults (pre_tokenizer_table.h);
///   - ids of special tokens that are out of range are replaced by defaults;
///   - an empty token is "[EMPTY_7]".
/// tokenizer.ggml.model may be "gpt2", "whitespace" and "gemma4" (merges) or "llama" (scores);
/// bert, t5, rwkv, plamo2 and others are an Error. So are two tokens of the same text, and merges
/// of what is no token, neither of which llama.cpp survives or makes sense of.
///
/// What a VocabularySource cannot say: white space around the special tokens of Phi-3 and of some
/// models for embeddings, which llama.cpp takes off; and that Gemma 4 takes a run of newlines that
/// is a token whole, as if there were `ignore_merges` for these pieces.
Result<VocabularySource> read_gguf_vocabulary(const GgufFile& file);

}  // namespace pedro
