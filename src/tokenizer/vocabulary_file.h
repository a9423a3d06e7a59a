#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "tokenizer/tiktoken_file.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

enum class VocabularyFormat : std::uint8_t {
  kGguf,
  kTokenizerJson,
  kTekken,
  kTiktoken,
  kTiktokenJson,
  kSentencePiece,
};

/// As people call it: "GGUF", "tokenizer.json", "tekken.json", "tiktoken", "tiktoken JSON",
/// "SentencePiece".
std::string_view name_of(VocabularyFormat format);

/// Which of them `bytes` are, going by how they begin and, of JSON, by the names at its top. An
/// Error says what they look like.
Result<VocabularyFormat> vocabulary_format(std::string_view bytes);

/// Reads any of them. `file_name` is a name or a path: without its folders and its ending it
/// becomes the vocabulary's name, and it stands in front of every Error. A file of ranks needs
/// `rules`; without a pre-tokenizer in them its name has to be one that is known
/// ("cl100k_base.tiktoken").
Result<VocabularySource> read_vocabulary(std::string_view bytes, std::string_view file_name,
                                         const RankFileRules& rules = {});

}  // namespace pedro
