#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// SentencePiece's .model (https://github.com/google/sentencepiece, sentencepiece_model.proto) of
/// type BPE: characters that are merged by score, with the ids of its control pieces, and byte
/// pieces "<0x0A>" where it falls back to bytes. A prompt begins with its BOS piece, if it has one
/// (the file does not say that, but so do all models with such a file).
///
/// Refused, with the name of the field: other types than BPE, a normalizer that maps characters
/// (nmt_nfkc: precompiled_charsmap), remove_extra_whitespaces and treat_whitespace_as_suffix.
/// An Error about the bytes names the byte of the file.
Result<VocabularySource> read_sentencepiece(std::string_view bytes);

}  // namespace pedro
