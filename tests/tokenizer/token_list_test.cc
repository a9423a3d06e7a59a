#include "tokenizer/token_list.h"

#include <doctest/doctest.h>

#include <string>

#include "tokenizer/source_text.h"

namespace pedro {

TEST_CASE("token list: tokens by their numbers") {
  TokenList tokens{{"a"}, {"<s>", TokenKind::kControl}, {"b", TokenKind::kNormal, -2.5F}};
  CHECK(to_text(tokens) == "0 normal 'a'\n1 control '<s>'\n2 normal 'b' -2.5\n");
  tokens.resize(5);
  tokens.set(4, {"c", TokenKind::kByte, 1});
  CHECK(to_text(tokens) ==
        "0 normal 'a'\n1 control '<s>'\n2 normal 'b' -2.5\n3 normal ''\n4 byte 'c' 1\n");
}

TEST_CASE("token list: texts that are replaced, longer and shorter") {
  TokenList tokens{{"abc"}, {"d"}};
  tokens.set_bytes(0, "x");
  tokens.set_bytes(1, std::string(1000, 'y'));
  tokens.set_kind(1, TokenKind::kUnused);
  CHECK(tokens[0].bytes == "x");
  CHECK(tokens[1].bytes == std::string(1000, 'y'));
  CHECK(tokens[1].kind == TokenKind::kUnused);
  CHECK(tokens == TokenList{{"x"}, {std::string(1000, 'y'), TokenKind::kUnused}});
  CHECK_FALSE(tokens == TokenList{{"x"}});
  CHECK_FALSE(tokens == TokenList{{"x"}, {"y", TokenKind::kUnused}});
}

TEST_CASE("token list: room in front, with scores too") {
  TokenList tokens{{"a", TokenKind::kNormal, 3}};
  tokens.insert_front(2);
  tokens.set(0, {"z"});
  CHECK(to_text(tokens) == "0 normal 'z'\n1 normal ''\n2 normal 'a' 3\n");
}

}  // namespace pedro
