#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// A special token that the file does not contain.
struct NamedToken {
  std::string name;
  TokenId id = 0;
};

/// The properties of an encoding that a file of ranks does not contain.
struct RankFileRules {
  PreTokenizer pre_tokenizer;
  std::vector<NamedToken> specials;
};

/// Reads a file of ranks of OpenAI's tiktoken (https://github.com/openai/tiktoken, load.py). Lines
/// are "base64 of the token's bytes, space, rank". A rank is the token's id; ranks may be missing.
/// Merging produces the token of the lowest rank first; a piece that is a token is not merged.
/// "<|endoftext|>" among the specials is `eos`. An Error (kConfig) names the line.
Result<VocabularySource> read_tiktoken(std::string_view bytes, const RankFileRules& rules);

}  // namespace pedro
