#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "tokenizer/id_table.h"
#include "tokenizer/token_list.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Finds tokens by their bytes, whatever their kind. Borrows the list, which must not change.
class TokenIndex {
 public:
  /// An Error where two tokens have the same bytes: "token 7 'ab' is token 3 again".
  static Result<TokenIndex> of(const TokenList& tokens);

  std::optional<TokenId> find(std::string_view bytes) const { return find(bytes, ""); }
  /// The token that is `left` and `right` together.
  std::optional<TokenId> find(std::string_view left, std::string_view right) const;

  /// An Error says what is no token: "'x' is not in the vocabulary".
  Result<Merge> merge_of(std::string_view left, std::string_view right) const;

 private:
  explicit TokenIndex(const TokenList& tokens) : tokens_(&tokens), table_(tokens.size()) {}

  const TokenList* tokens_;
  IdTable table_;
};

/// Of merges of the same two tokens, all but the first are taken out; or all but the last.
enum class Keep : std::uint8_t { kFirst, kLast };
Status drop_repeated(std::vector<Merge>& merges, Keep keep);

}  // namespace pedro
