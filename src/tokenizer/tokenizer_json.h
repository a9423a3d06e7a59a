#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

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
