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

/// The display name: "GGUF", "tokenizer.json", "tekken.json", "tiktoken", "tiktoken JSON",
/// "SentencePiece".
std::string_view name_of(VocabularyFormat format);

/// Detects the format of `bytes` by their beginning, or for JSON by the top-level names. An Error
/// (kConfig) describes an unknown format.
Result<VocabularyFormat> vocabulary_format(std::string_view bytes);

/// Reads a vocabulary file of any format. `file_name` is a name or a path; its stem becomes the
/// vocabulary's name, and it prefixes every Error. A file of ranks requires `rules`. If they have
/// no pre-tokenizer, the stem must be a known name ("cl100k_base.tiktoken").
Result<VocabularySource> read_vocabulary(std::string_view bytes, std::string_view file_name,
                                         const RankFileRules& rules = {});

}  // namespace pedro
