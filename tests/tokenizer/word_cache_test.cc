#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

#include "tokenizer/piece_encoder.h"

namespace pedro {
namespace {

using Ids = std::vector<TokenId>;

WordKey key_of(const std::string& word) {
  return WordKey::of(word.data(), word.size(), word.data() + word.size());
}

// Returns the ids of a word, or nothing if it is not in the cache.
Ids find(WordCache& cache, const std::string& word) {
  const WordKey key = key_of(word);
  const WordCache::Entry* entry = cache.find(cache.set_of(key), key);
  if (entry == nullptr) return {};
  TokenId ids[WordCache::kMaxTokens];
  entry->write_to(ids);
  return {ids, ids + entry->count()};
}

void keep(WordCache& cache, const std::string& word, const Ids& ids) {
  const WordKey key = key_of(word);
  cache.keep(cache.set_of(key), key, ids);
}

}  // namespace

TEST_CASE("word cache: keeps up to five ids of up to 24 bits") {
  WordCache cache;
  const std::pair<const char*, Ids> kept[] = {
      {"a", {1}}, {"ab", {0, 0xFFFFFF}}, {"exactly fifteen", {1, 2, 3, 0x123456, 0x654321}}};
  for (const auto& [word, ids] : kept) {
    CHECK(find(cache, word).empty());
    keep(cache, word, ids);
    CHECK(find(cache, word) == ids);
  }
  keep(cache, "six", {1, 2, 3, 4, 5, 6});
  keep(cache, "large", {0x1000000});
  CHECK(find(cache, "six").empty());
  CHECK(find(cache, "large").empty());
  CHECK(find(cache, std::string("a\0", 2)).empty());
}

TEST_CASE("word cache: returns the stored ids, and keeps frequent words") {
  std::mt19937 random(1);
  WordCache cache;
  std::map<std::string, Ids> kept;
  const std::string often = "often";
  keep(cache, often, {7});
  int known = 0;
  for (int i = 0; i < 400'000; ++i) {
    const std::string word = std::to_string(random());
    const Ids found = find(cache, word);
    const auto expected = kept.find(word);
    if (!found.empty()) {
      ++known;
      REQUIRE(expected != kept.end());
      REQUIRE(found == expected->second);
    } else {
      kept[word] = {static_cast<TokenId>(random() % 0xFFFFFF), static_cast<TokenId>(i)};
      keep(cache, word, kept[word]);
    }
    REQUIRE(find(cache, often) == Ids{7});
  }
  for (const auto& [word, ids] : kept) {
    const Ids found = find(cache, word);
    if (found.empty()) continue;
    ++known;
    REQUIRE(found == ids);
  }
  CHECK(known > 100'000);
}

}  // namespace pedro
