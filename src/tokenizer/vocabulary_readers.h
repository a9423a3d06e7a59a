#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/gguf_file.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Reads tiktoken's JSON files (npm `tiktoken`, encoders/*.json). `pat_str` has the pattern,
/// `special_tokens` has names and ids, `bpe_ranks` has the other tokens (rank_list.h). A rank is
/// the token's id. As in a file of ranks (tiktoken_file.h), a piece that is a token is not merged,
/// and "<|endoftext|>" is `eos`.
///
/// The vocabulary of Claude up to 2.1 (npm `@anthropic-ai/tokenizer`, claude.json) has this format.
/// Its special tokens "<META_START>" and "<META_END>" identify it. Its program normalizes text to
/// form KC, which the file does not specify. "<EOT>" is its `eos`.
///
/// An Error (kConfig) is "line:column: reason" or "/bpe_ranks: byte 7: reason".
Result<VocabularySource> read_tiktoken_json(std::string_view bytes);

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

/// Reads the vocabulary of a GGUF file like llama.cpp v0.5.0 (Fidelity::kLlamaCpp). Differences
/// from the contents of the file, besides correct_gguf_kinds():
///   - tokenizer.ggml.pre selects patterns and defaults (pre_tokenizer_table.h).
///   - defaults replace ids of special tokens that are out of range.
///   - an empty token is "[EMPTY_7]".
/// tokenizer.ggml.model may be "gpt2", "whitespace" and "gemma4" (merges) or "llama" (scores).
/// Errors (kConfig): other models (bert, t5, rwkv, plamo2 ...), two tokens with equal text, merges
/// of texts that are not tokens. llama.cpp does not support the last two either.
///
/// Limitations of VocabularySource: llama.cpp strips white space around special tokens of Phi-3 and
/// of some embedding models. In Gemma 4 a run of newlines that is a token is not merged, as with
/// `ignore_merges` for these pieces.
Result<VocabularySource> read_gguf_vocabulary(const GgufFile& file);

/// Reads a SentencePiece .model of type BPE (https://github.com/google/sentencepiece,
/// sentencepiece_model.proto). Characters merge by score; byte pieces "<0x0A>" are the byte
/// fallback. A prompt begins with the BOS piece, if there is one. The file does not specify this,
/// but all models with such a file require it.
///
/// Errors (kConfig) that name the field: types other than BPE, a normalizer that maps characters
/// (nmt_nfkc: precompiled_charsmap), remove_extra_whitespaces and treat_whitespace_as_suffix.
/// Errors about the encoding name the byte offset.
Result<VocabularySource> read_sentencepiece(std::string_view bytes);

/// Reads a tokenizer.json of Hugging Face's tokenizers (https://github.com/huggingface/tokenizers)
/// with a BPE model. Symbols are bytes with ByteLevel, or characters with byte_fallback. Special
/// added tokens are control tokens, the others are user-defined. tokenizer_json_rules.h lists the
/// supported text rules. `bos` and `eos` are the tokens that its post_processor adds to a text.
///
/// Errors (kConfig): other models, continuing_subword_prefix, end_of_word_suffix, dropout, a file
/// without merges, and user-defined tokens that strip adjacent white space. For special tokens
/// stripping is ignored (Phi-3): they come from templates, whose white space is significant.
/// fuse_unk is ignored; it only affects vocabularies without byte_fallback.
///
/// Reads the file in one pass without building a tree, in less memory than the size of the file. An
/// Error is "line:column: reason" or "/model/type: reason".
Result<VocabularySource> read_tokenizer_json(std::string_view bytes);

}  // namespace pedro
