#include "tokenizer/tokenizer.h"

#include <utility>

namespace pedro {

Result<std::vector<std::vector<TokenId>>> Tokenizer::encode_each(
    std::span<const Passage> passages) {
  std::vector<std::vector<TokenId>> all;
  for (const Passage& passage : passages) {
    PEDRO_TRY(std::vector<TokenId> ids, encode(passage.text, passage.specials));
    all.push_back(std::move(ids));
  }
  return all;
}

Result<std::vector<std::string>> Tokenizer::pieces(std::span<const TokenId> ids) {
  std::vector<std::string> all;
  for (const TokenId id : ids) {
    PEDRO_TRY(std::string one, piece(id));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace pedro
