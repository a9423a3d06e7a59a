#include "tokenizer/token_counter.h"

#include <doctest/doctest.h>

#include <random>

namespace pedro {
namespace {

// A vocabulary of bytes, a few short words, and a special token that contains a blank.
VocabularySource counted_source(const std::string& scanner) {
  VocabularySource source;
  source.name = scanner;
  source.fidelity = Fidelity::kLlamaCpp;
  source.pre_tokenizer.scanner = scanner;
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kNormal, 0});
  }
  for (const char* text : {" a", "ab", " ab", "\n\n", "b\n", " \n", "aa", "aaaa"}) {
    source.tokens.push_back({text, TokenKind::kNormal, 0});
  }
  source.tokens.push_back({"ab ab\nab", TokenKind::kUserDefined, 0});
  return source;
}

std::unique_ptr<VocabularyTokenizer> tokenizer_for(const VocabularySource& source) {
  auto vocabulary = Vocabulary::compile(source);
  REQUIRE(vocabulary.ok());
  auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  REQUIRE(tokenizer.ok());
  return *std::move(tokenizer);
}

std::string words(std::mt19937& random, std::size_t size) {
  static const char* const kParts[] = {"ab", " ab", " a", "\n", "b", "ab ab\nab", "  ", "7"};
  std::string text;
  while (text.size() < size) text += kParts[random() % std::size(kParts)];
  return text;
}

}  // namespace

TEST_CASE("token counter: counts parts as it would count the whole text") {
  std::mt19937 random(1);
  for (const char* scanner : {"gpt2", "cl100k", "o200k", "deepseek3"}) {
    CAPTURE(scanner);
    const auto tokenizer = tokenizer_for(counted_source(scanner));
    const std::string text = words(random, 1'500'000);
    TokenCounter counter(*tokenizer, Specials::kNone);
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view part = std::string_view(text).substr(at, random() % 100'000);
      REQUIRE(counter.add(part).ok());
      at += part.size();
    }
    CHECK(*counter.finish() == *tokenizer->count(text, Specials::kNone));
    CHECK(counter.is_exact());
  }
}

TEST_CASE("token counter: a blank before a line's end") {
  for (const char* scanner : {"gpt2", "cl100k", "o200k", "deepseek3"}) {
    CAPTURE(scanner);
    const auto tokenizer = tokenizer_for(counted_source(scanner));
    std::string text;
    while (text.size() < 3 * TokenCounter::kPartBytes) text += "7 \n";  // the only places to cut
    text += "7\n" + std::string(TokenCounter::kPartBytes, '7');
    TokenCounter counter(*tokenizer, Specials::kNone);
    REQUIRE(counter.add(text).ok());
    CHECK(*counter.finish() == *tokenizer->count(text, Specials::kNone));
  }
}

TEST_CASE("token counter: a text without any place to cut is counted, and said to be inexact") {
  const auto tokenizer = tokenizer_for(counted_source("gpt2"));
  const std::string part(TokenCounter::kPartBytes, 'a');
  TokenCounter counter(*tokenizer, Specials::kNone);
  for (int i = 0; i < 20; ++i) REQUIRE(counter.add(part).ok());
  CHECK(*counter.finish() == 20 * part.size() / 4);
  CHECK_FALSE(counter.is_exact());
}

TEST_CASE("token counter: nothing is no token") {
  const auto tokenizer = tokenizer_for(counted_source("gpt2"));
  TokenCounter counter(*tokenizer, Specials::kNone);
  CHECK(*counter.finish() == 0);
}

}  // namespace pedro
