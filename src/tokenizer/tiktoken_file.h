#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// A special token that a file does not name.
struct NamedToken {
  std::string name;
  TokenId id = 0;
};

/// What a file of ranks does not say about its encoding.
struct RankFileRules {
  PreTokenizer pre_tokenizer;
  std::vector<NamedToken> specials;
};

/// OpenAI's files of ranks (https://github.com/openai/tiktoken, load.py): lines "base64 of the
/// token's bytes, blank, rank". A rank is the token's id; some may be missing. What is merged is
/// what makes the token of the lowest rank, and a piece that is a token is that token.
/// "<|endoftext|>" among the specials is `eos`. An Error names the line.
Result<VocabularySource> read_tiktoken(std::string_view bytes, const RankFileRules& rules);

}  // namespace pedro
