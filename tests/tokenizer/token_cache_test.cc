#include <doctest/doctest.h>

#include "tokenizer/server_tokenizer.h"

namespace pedro {
namespace {

using Ids = std::vector<TokenId>;

}  // namespace

TEST_CASE("token cache: keeps the most recently used texts, in limited bytes") {
  TokenCache cache(2000);  // an entry takes 128 bytes plus its contents
  for (int i = 0; i < 20; ++i) {
    cache.add(std::string(10, static_cast<char>('a' + i)), Ids(5, i));
    CHECK(cache.bytes() <= 2000);
    REQUIRE(cache.find("aaaaaaaaaa") != nullptr);  // keeps it recently used
  }
  CHECK(*cache.find("aaaaaaaaaa") == Ids(5, 0));
  CHECK(cache.find("bbbbbbbbbb") == nullptr);
  CHECK(*cache.find("tttttttttt") == Ids(5, 19));
}

TEST_CASE("token cache: a text that would take much of its room is not kept") {
  TokenCache cache(2000);
  cache.add("small", {1});
  cache.add(std::string(200, 'x'), {2});
  CHECK(cache.find(std::string(200, 'x')) == nullptr);
  CHECK(cache.find("small") != nullptr);
  const std::size_t bytes = cache.bytes();
  cache.add("small", {1});
  CHECK(cache.bytes() == bytes);
}

}  // namespace pedro
