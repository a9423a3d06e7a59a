#include "tokenizer/token_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "tokenizer/quoted_token.h"

namespace pedro {
namespace {

Error crowded() {
  return {ErrorKind::kConfig, "it is built to be slow: too many entries have the same hash"};
}

bool is_joined(std::string_view whole, std::string_view left, std::string_view right) {
  return whole.size() == left.size() + right.size() && whole.starts_with(left) &&
         whole.ends_with(right);
}

}  // namespace

Result<TokenIndex> TokenIndex::of(const TokenList& tokens) {
  TokenIndex index(tokens);
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const std::string_view bytes = tokens[id].bytes;
    if (bytes.empty()) continue;
    const std::int32_t earlier =
        index.table_.find_or_add(hash_bytes(bytes), static_cast<std::int32_t>(id),
                                 [&](std::int32_t other) { return tokens[other].bytes == bytes; });
    if (earlier == IdTable::kCrowded) return crowded();
    if (earlier == IdTable::kNone) continue;
    return Error{ErrorKind::kConfig,
                 fmt::format("token {} {} is token {} again", id, quoted_token(bytes), earlier)};
  }
  return index;
}

std::optional<TokenId> TokenIndex::find(std::string_view left, std::string_view right) const {
  const TokenId id = table_.find(hash_bytes(right, hash_bytes(left)), [&](std::int32_t other) {
    return is_joined((*tokens_)[other].bytes, left, right);
  });
  if (id < 0) return {};
  return id;
}

Result<Merge> TokenIndex::merge_of(std::string_view left, std::string_view right) const {
  const auto missing = [](const std::string& what) {
    return Error{ErrorKind::kConfig, quoted_token(what) + " is not in the vocabulary"};
  };
  const auto first = find(left);
  if (!first) return missing(std::string(left));
  const auto second = find(right);
  if (!second) return missing(std::string(right));
  const auto result = find(left, right);
  if (!result) return missing(std::string(left) + std::string(right));
  return Merge{*first, *second, *result};
}

Status drop_repeated(std::vector<Merge>& merges, Keep keep) {
  if (keep == Keep::kLast) std::reverse(merges.begin(), merges.end());
  IdTable table(merges.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const Merge merge = merges[i];
    const auto pair =
        static_cast<std::uint64_t>(merge.left) << 32U | static_cast<std::uint32_t>(merge.right);
    merges[kept] = merge;
    const std::int32_t earlier =
        table.find_or_add(pair, static_cast<std::int32_t>(kept), [&](std::int32_t other) {
          return merges[other].left == merge.left && merges[other].right == merge.right;
        });
    if (earlier == IdTable::kCrowded) return crowded();
    if (earlier == IdTable::kNone) ++kept;
  }
  merges.resize(kept);
  if (keep == Keep::kLast) std::reverse(merges.begin(), merges.end());
  return {};
}

}  // namespace pedro
