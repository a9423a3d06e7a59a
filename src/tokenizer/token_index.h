#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "tokenizer/id_table.h"
#include "tokenizer/token_list.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Finds tokens of any kind by their bytes. Borrows the list, which must not change.
class TokenIndex {
 public:
  /// Error (kConfig): two tokens have the same bytes, "token 7 'ab' is token 3 again".
  static Result<TokenIndex> of(const TokenList& tokens);

  std::optional<TokenId> find(std::string_view bytes) const { return find(bytes, ""); }
  /// Finds the token with the joined bytes of `left` and `right`.
  std::optional<TokenId> find(std::string_view left, std::string_view right) const;

  /// Looks up the merge of two tokens. Error (kConfig): "'x' is not in the vocabulary".
  Result<Merge> merge_of(std::string_view left, std::string_view right) const;

 private:
  explicit TokenIndex(const TokenList& tokens) : tokens_(&tokens), table_(tokens.size()) {}

  const TokenList* tokens_;
  IdTable table_;
};

/// Removes repeated merges of the same two tokens; keeps the first or the last one.
enum class Keep : std::uint8_t { kFirst, kLast };
Status drop_repeated(std::vector<Merge>& merges, Keep keep);

}  // namespace pedro
