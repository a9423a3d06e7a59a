#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Reads a SentencePiece .model of type BPE (https://github.com/google/sentencepiece,
/// sentencepiece_model.proto). Characters merge by score; byte pieces "<0x0A>" are the byte
/// fallback. A prompt begins with the BOS piece, if there is one. The file does not specify this,
/// but all models with such a file require it.
///
/// Errors (kConfig) that name the field: types other than BPE, a normalizer that maps characters
/// (nmt_nfkc: precompiled_charsmap), remove_extra_whitespaces and treat_whitespace_as_suffix.
/// Errors about the encoding name the byte offset.
Result<VocabularySource> read_sentencepiece(std::string_view bytes);

}  // namespace pedro
