#include "tokenizer/token_index.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tokenizer/quoted_token.h"

namespace pedro {

TEST_CASE("token index: finds tokens, and two together") {
  const TokenList tokens{{"a"}, {"b"}, {""}, {"ab"}, {"abab", TokenKind::kControl}};
  const auto index = TokenIndex::of(tokens);
  REQUIRE(index.ok());
  CHECK(index->find("a") == 0);
  CHECK(index->find("abab") == 4);
  CHECK(index->find("ab", "ab") == 4);
  CHECK(index->find("a", "bab") == 4);
  CHECK_FALSE(index->find("ba"));
  CHECK_FALSE(index->find("b", "a"));
  CHECK(index->merge_of("a", "b").value() == Merge{0, 1, 3});
  CHECK(index->merge_of("x", "b").error().message == "'x' is not in the vocabulary");
  CHECK(index->merge_of("a", "y").error().message == "'y' is not in the vocabulary");
  CHECK(index->merge_of("b", "a").error().message == "'ba' is not in the vocabulary");
}

TEST_CASE("token index: all of many tokens are found") {
  TokenList tokens;
  for (int i = 0; i < 100'000; ++i) tokens.push_back({"t" + std::to_string(i)});
  const auto index = TokenIndex::of(tokens);
  REQUIRE(index.ok());
  int found = 0;
  for (int i = 0; i < 100'000; ++i) found += index->find("t" + std::to_string(i)) == i ? 1 : 0;
  CHECK(found == 100'000);
  CHECK_FALSE(index->find("t100000"));
}

TEST_CASE("token index: a token that is there twice") {
  const TokenList tokens{{"a"}, {"\n"}, {"b"}, {"\n"}};
  CHECK(TokenIndex::of(tokens).error().message == "token 3 ' ' is token 1 again");
}

TEST_CASE("id table: gives up if everything has the same hash") {
  IdTable table(50'000);
  const auto differs = [](std::int32_t) { return false; };
  std::int32_t result = IdTable::kNone;
  int added = 0;
  while (result == IdTable::kNone && added < 50'000)
    result = table.find_or_add(7, added++, differs);
  CHECK(result == IdTable::kCrowded);
  CHECK(added == 20'001);
  CHECK(table.find(7, differs) == IdTable::kCrowded);
}

TEST_CASE("merges: of the same two tokens one is kept") {
  const std::vector<Merge> merges = {{1, 2, 3}, {4, 5, 6}, {1, 2, 7}, {4, 5, 8}, {2, 1, 3}};
  std::vector<Merge> first = merges;
  REQUIRE(drop_repeated(first, Keep::kFirst).ok());
  CHECK(first == std::vector<Merge>{{1, 2, 3}, {4, 5, 6}, {2, 1, 3}});
  std::vector<Merge> last = merges;
  REQUIRE(drop_repeated(last, Keep::kLast).ok());
  CHECK(last == std::vector<Merge>{{1, 2, 7}, {4, 5, 8}, {2, 1, 3}});
}

TEST_CASE("quoted token: on one line, and never long") {
  CHECK(quoted_token("a\r\nb") == "'a  b'");
  CHECK(quoted_token("\x1B[2J\xFF") == "'\uFFFD[2J\uFFFD'");
  CHECK(quoted_token(std::string(39, 'a') + "\u2581b") == "'" + std::string(39, 'a') + "...'");
}

}  // namespace pedro
