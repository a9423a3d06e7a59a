#include "tokenizer/text_cut.h"

#include <doctest/doctest.h>

#include <random>

#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

// A vocabulary of all bytes, every pair of `letters`, and some triples.
VocabularySource pairs_of(std::string_view letters, const char* scanner) {
  VocabularySource source;
  source.name = "pairs";
  source.pre_tokenizer.scanner = scanner;
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kNormal, 0});
  }
  for (const char a : letters) {
    for (const char b : letters) {
      source.tokens.push_back({std::string{a, b}, TokenKind::kNormal, 0});
      source.tokens.push_back({std::string{a, b, a}, TokenKind::kNormal, 0});
    }
  }
  return source;
}

std::unique_ptr<VocabularyTokenizer> tokenizer_of(const VocabularySource& source) {
  Result<Vocabulary> vocabulary = Vocabulary::compile(source);
  REQUIRE(vocabulary.ok());
  return *VocabularyTokenizer::create(*std::move(vocabulary));
}

}  // namespace

TEST_CASE("text cut: the tokens on both sides are those of the whole") {
  constexpr std::string_view kLetters = "ab1 \nA.'";
  std::mt19937 random(1);
  int cuts = 0;
  for (const char* scanner : {"gpt2", "cl100k", "llama3", "qwen2", "qwen35", "o200k", "tekken",
                              "deepseek3", "starcoder"}) {
    const auto tokenizer = tokenizer_of(pairs_of(kLetters, scanner));
    for (int round = 0; round < 300; ++round) {
      std::string text;
      for (int i = 0; i < 20; ++i) text += kLetters[random() % kLetters.size()];
      for (std::size_t at = 1; at < text.size(); ++at) {
        if (!can_cut(tokenizer->vocabulary(), text, at)) continue;
        CAPTURE(std::string(scanner));
        CAPTURE(text);
        CAPTURE(at);
        auto both = *tokenizer->encode(text.substr(0, at), Specials::kNone);
        const auto rest = *tokenizer->encode(text.substr(at), Specials::kNone);
        both.insert(both.end(), rest.begin(), rest.end());
        REQUIRE(both == *tokenizer->encode(text, Specials::kNone));
        ++cuts;
      }
    }
  }
  CHECK(cuts > 1000);
}

TEST_CASE("text cut: no cut in a text of one piece, or with an unknown pattern") {
  VocabularySource source = pairs_of("ab", "none");
  CHECK_FALSE(can_cut(tokenizer_of(source)->vocabulary(), "a b", 1));
  CHECK(first_part(tokenizer_of(source)->vocabulary(), "a b a b a b", 4) == 11);
  source.pre_tokenizer = {"", {"\\s+|\\S+"}};
  CHECK_FALSE(can_cut(tokenizer_of(source)->vocabulary(), "a b", 1));
  source.pre_tokenizer = {"gpt2", {}};
  CHECK(can_cut(tokenizer_of(source)->vocabulary(), "a b", 1));
  CHECK_FALSE(can_cut(tokenizer_of(source)->vocabulary(), "a ", 1));
}

TEST_CASE("text cut: a part has about the size that is asked for") {
  const auto tokenizer = tokenizer_of(pairs_of("ab", "gpt2"));
  const Vocabulary& vocabulary = tokenizer->vocabulary();
  CHECK(first_part(vocabulary, "a b a b a b", 100) == 11);
  CHECK(first_part(vocabulary, "a b a b a b", 6) == 5);
  CHECK(first_part(vocabulary, "aaaaaaaaa b", 4) == 9);   // cuts after the limit
  CHECK(first_part(vocabulary, "a bbbbbbbbb", 8) == 11);  // no place to cut
}

}  // namespace pedro
