#pragma once

#include <string_view>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// A tokenizer.json of Hugging Face's tokenizers (https://github.com/huggingface/tokenizers) whose
/// model is BPE: of bytes, where there is a ByteLevel, or of characters, where there is
/// byte_fallback. Added tokens that are special are control tokens, the others are user-defined.
/// See tokenizer_json_rules.h for what it may say about text; `bos` and `eos` are what its
/// post_processor puts around a text.
///
/// Refused: other models, continuing_subword_prefix, end_of_word_suffix, dropout, a file without
/// merges, and user-defined tokens that take white space beside them. Special ones that do (Phi-3)
/// lose that: they come from templates, where nothing is to be taken. What becomes of a piece that
/// is not in the vocabulary where there is no byte_fallback (fuse_unk) is not said by the source.
///
/// The file is read in one go over its bytes, and never has a tree: it takes less memory than the
/// file is long. An Error is "line:column: what is wrong" or "/model/type: what is wrong".
Result<VocabularySource> read_tokenizer_json(std::string_view bytes);

}  // namespace pedro
