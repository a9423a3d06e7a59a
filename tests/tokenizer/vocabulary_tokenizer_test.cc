#include "tokenizer/vocabulary_tokenizer.h"

#include <doctest/doctest.h>

#include <random>
#include <thread>

#include "base/text.h"
#include "tokenizer/random_vocabulary.h"

namespace pedro {
namespace {

std::unique_ptr<VocabularyTokenizer> made(const VocabularySource& source) {
  Result<Vocabulary> vocabulary = Vocabulary::compile(source);
  REQUIRE(vocabulary.ok());
  auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  REQUIRE(tokenizer.ok());
  return *std::move(tokenizer);
}

// Bytes, "ab", and special tokens, some of which overlap with others.
VocabularySource with_specials(Fidelity fidelity) {
  VocabularySource source;
  source.name = "specials";
  source.fidelity = fidelity;
  source.pre_tokenizer.scanner = "none";
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kNormal, 0});
  }
  source.tokens.push_back({"ab", TokenKind::kNormal, 0});           // 256
  source.tokens.push_back({"<s>", TokenKind::kControl, 0});         // 257
  source.tokens.push_back({"<s><s>x", TokenKind::kControl, 0});     // 258
  source.tokens.push_back({"s><s>xyz", TokenKind::kControl, 0});    // 259
  source.tokens.push_back({"<user>", TokenKind::kUserDefined, 0});  // 260
  source.bos = 257;
  source.add_bos = true;
  return source;
}

using Ids = std::vector<TokenId>;

// A vocabulary of characters with the scores of a SentencePiece model; spaces are U+2581.
VocabularySource character_source() {
  VocabularySource source;
  source.name = "characters";
  source.symbols = Symbols::kCharacters;
  source.pre_tokenizer.scanner = "none";
  source.space_prefix = true;
  source.escape_spaces = true;
  source.tokens.push_back({"<unk>", TokenKind::kUnknown, 0});
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kByte, 0});
  }
  float score = 0;
  for (const char* text :
       {"\u2581a", "ab", "\u2581ab", "\u2581\u2581", "\u00E9", "a", "b", "\u2581", "x"}) {
    source.tokens.push_back({text, TokenKind::kNormal, score--});  // ids from 257 on
  }
  source.unknown = 0;
  return source;
}

}  // namespace

TEST_CASE("vocabulary tokenizer: merges as the definition has it, whatever order they have") {
  std::mt19937 random(1);
  for (int round = 0; round < 120; ++round) {
    const MergeOrder orders[] = {MergeOrder::kOfIds, MergeOrder::kNotOfIds, MergeOrder::kAny};
    const Symbols symbols = round % 2 == 0 ? Symbols::kBytes : Symbols::kCharacters;
    const RandomMerges wanted = {5 + random() % 60, orders[round % 3], symbols};
    const VocabularySource source = random_vocabulary(random, wanted);
    const auto tokenizer = made(source);
    const bool has_pairs = symbols == Symbols::kBytes && wanted.order == MergeOrder::kOfIds;
    CHECK_FALSE((has_pairs && tokenizer->vocabulary().byte_pairs().empty()));
    for (int i = 0; i < 60; ++i) {
      std::string text = random_letters(random, 1 + random() % (i < 50 ? 40 : 400));
      if (symbols == Symbols::kCharacters) {  // 'd' and a lone byte are unknown
        text = replace_all(replace_all(text, "c", "\u00E9"), "dd", "\xC3");
      }
      CAPTURE(round);
      CAPTURE(text);
      const auto ids = tokenizer->encode(text, Specials::kNone);
      REQUIRE(ids.ok());
      CHECK(*ids == slow_bpe(source, text));
      CHECK(*tokenizer->count(text, Specials::kNone) == ids->size());
      CHECK(*tokenizer->decode(*ids) == text);
    }
  }
}

TEST_CASE("vocabulary tokenizer: of tokens with the same bytes the one that is made is found") {
  VocabularySource source = with_specials(Fidelity::kReference);  // "ab" is 256
  source.tokens.push_back({"ab", TokenKind::kNormal, 0});         // 261
  source.tokens.push_back({"ab", TokenKind::kUnused, 0});         // 262
  source.tokens.push_back({"abc", TokenKind::kNormal, 0});        // 263
  source.merges = {{'a', 'b', 262}, {'a', 'b', 256}, {261, 'c', 263}};
  const auto tokenizer = made(source);
  CHECK(*tokenizer->encode("ab", Specials::kNone) == Ids{262});
  CHECK(*tokenizer->encode("dabc", Specials::kNone) == Ids{'d', 262, 'c'});
  CHECK(*tokenizer->id_of("ab") == 262);
  CHECK(*tokenizer->id_of("abc") == std::nullopt);  // no text is encoded to it
}

TEST_CASE("vocabulary tokenizer: characters merge by scores in any order") {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    const VocabularySource source = random_scores(random, 2 + random() % 12);
    const auto tokenizer = made(source);
    for (int i = 0; i < 60; ++i) {
      const std::string text = random_letters(random, 1 + random() % (i < 40 ? 30 : 400));
      CAPTURE(round);
      CAPTURE(text);
      REQUIRE(*tokenizer->encode(text, Specials::kNone) == slow_scored(source, text));
    }
  }
}

TEST_CASE("vocabulary tokenizer: a large text is normalized in all its parts") {
  VocabularySource composing = with_specials(Fidelity::kReference);
  composing.pre_tokenizer.scanner = "gpt2";
  composing.form = NormalForm::kC;
  composing.tokens.push_back({"\u00E9", TokenKind::kNormal, 0});
  const std::pair<VocabularySource, std::string> rows[] = {{composing, "ab e\u0301x"},
                                                           {character_source(), "ab x  ab\n"}};
  for (const auto& [source, some] : rows) {
    const auto tokenizer = made(source);
    std::string text = some;
    while (text.size() < 300'000) text += " " + some;
    const auto once = *tokenizer->encode(some + " " + some, Specials::kNone);
    const auto first = *tokenizer->encode(some, Specials::kNone);
    Ids expected = first;
    for (std::size_t at = some.size(); at < text.size(); at += some.size() + 1) {
      expected.insert(expected.end(), once.begin() + static_cast<std::ptrdiff_t>(first.size()),
                      once.end());
    }
    CHECK(*tokenizer->encode(text, Specials::kNone) == expected);
  }
}

TEST_CASE("vocabulary tokenizer: a token that no merges make is used for whole pieces only") {
  VocabularySource source = with_specials(Fidelity::kReference);
  source.pre_tokenizer.scanner = "gpt2";
  source.tokens.push_back({"bc", TokenKind::kNormal, 0});    // 261
  source.tokens.push_back({"abcd", TokenKind::kNormal, 0});  // 262: "cd" has no merge
  source.merges = {{'a', 'b', 256}, {'b', 'c', 261}};
  for (const bool ignore : {true, false}) {
    source.ignore_merges = ignore;
    const auto tokenizer = made(source);
    CHECK(*tokenizer->encode("abcd", Specials::kNone) == (ignore ? Ids{262} : Ids{256, 'c', 'd'}));
    CHECK(*tokenizer->encode("abcde", Specials::kNone) == Ids{256, 'c', 'd', 'e'});
  }
  // ignore_merges does not apply to symbols that are characters.
  VocabularySource letters = character_source();
  letters.ignore_merges = true;
  letters.merges = {{262, 263, 258}};
  CHECK(*made(letters)->encode("ab", Specials::kNone) == Ids{264, 258});
}

TEST_CASE("vocabulary tokenizer: special tokens, as far as they are asked for") {
  const auto reference = made(with_specials(Fidelity::kReference));
  const auto llama_cpp = made(with_specials(Fidelity::kLlamaCpp));
  const std::string_view only[] = {"<s>", "no token"};
  const std::string text = "ab<s><s>xyz";
  const Ids as_text = {256, '<', 's', '>', '<', 's', '>', 'x', 'y', 'z'};
  CHECK(*reference->encode(text, Specials::kNone) == as_text);
  CHECK(*reference->encode(text, Specials::kAll) == Ids{256, 258, 'y', 'z'});  // the leftmost match
  CHECK(*llama_cpp->encode(text, Specials::kNone) == as_text);
  CHECK(*llama_cpp->encode(text, Specials::kAll) == Ids{256, '<', 259});  // the longest match
  CHECK(*reference->encode(text, Specials::only(only)) == Ids{256, 257, 257, 'x', 'y', 'z'});
  CHECK(*reference->count(text, Specials::kAll) == 4);

  CHECK(*reference->encode("a<user>", Specials::kNone) == Ids{'a', '<', 'u', 's', 'e', 'r', '>'});
  CHECK(*llama_cpp->encode("a<user>", Specials::kNone) == Ids{'a', 260});
  CHECK(*llama_cpp->encode("<s><user>", Specials::only(only)) == Ids{257, 260});

  CHECK(*reference->decode({257, 256, 260}) == "<s>ab<user>");
  CHECK(*reference->id_of("ab") == 256);
  CHECK(*reference->id_of("<s>") == 257);
  CHECK(*reference->id_of("nothing") == std::nullopt);
  CHECK(*reference->is_control(257));
  CHECK_FALSE(*reference->is_control(260));
  CHECK(*reference->prompt_start() == Ids{257});
  CHECK(reference->piece(261).error().message ==
        "specials: there is no token 261; the last one is 260");
  CHECK_FALSE(reference->decode({-1}).ok());
}

TEST_CASE("vocabulary tokenizer: characters merge by score, and fall back to bytes") {
  const auto tokenizer = made(character_source());
  const auto encode = [&](std::string_view text) {
    return *tokenizer->encode(text, Specials::kNone);
  };
  CHECK(encode("ab") == Ids{259});
  CHECK(encode("bab") == Ids{264, 263, 258});
  CHECK(encode("x  ab") == Ids{264, 265, 264, 259});  // "\u2581a" merges before "ab" and the spaces
  CHECK(encode("\u00E9\u20AC") == Ids{264, 261, 0xE2 + 1, 0x82 + 1, 0xAC + 1});
  CHECK(encode("") == Ids{});
  for (const std::string text : {"ab", " ab", "x  ab ", "\n\u20AC \x80", ""}) {
    CHECK(*tokenizer->decode(encode(text)) == text);
  }
}

TEST_CASE("vocabulary tokenizer: normal form C, if the vocabulary requires it") {
  VocabularySource source = with_specials(Fidelity::kReference);
  source.tokens.push_back({"\u00E9", TokenKind::kNormal, 0});
  CHECK(*made(source)->count("e\u0301", Specials::kNone) == 3);
  source.form = NormalForm::kC;
  CHECK(*made(source)->encode("e\u0301", Specials::kNone) == Ids{261});
}

TEST_CASE("vocabulary tokenizer: normalized text also has its spaces marked") {
  VocabularySource source = character_source();
  for (const NormalForm form : {NormalForm::kC, NormalForm::kKC}) {
    source.form = form;
    const auto tokenizer = made(source);
    CHECK(*tokenizer->encode("e\u0301 ab", Specials::kNone) == Ids{264, 261, 259});
    CHECK(*tokenizer->encode("ab e\u0301", Specials::kNone) == Ids{259, 264, 261});
    CHECK(*tokenizer->count("e\u0301 ab", Specials::kNone) == 3);
  }
  source.escape_spaces = false;
  source.tokens.push_back({" ", TokenKind::kNormal, 0});  // 266
  CHECK(*made(source)->encode("e\u0301", Specials::kNone) == Ids{266, 261});
}

TEST_CASE("vocabulary tokenizer: random bytes come back as they were") {
  std::mt19937 random(3);
  const auto merged = made(random_vocabulary(random, {100}));
  const auto bytes = made(with_specials(Fidelity::kLlamaCpp));
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (auto size = random() % 300; size > 0; --size) text += static_cast<char>(random());
    for (const auto& tokenizer : {merged.get(), bytes.get()}) {
      const auto ids = tokenizer->encode(text, Specials::kAll);
      REQUIRE(ids.ok());
      CHECK(*tokenizer->decode(*ids) == text);
    }
  }
}

TEST_CASE("vocabulary tokenizer: several threads at a time") {
  std::mt19937 random(4);
  const VocabularySource source = random_vocabulary(random, {100});
  const auto tokenizer = made(source);
  std::vector<std::string> texts;
  std::vector<Ids> expected;
  for (int i = 0; i < 50; ++i) {
    texts.push_back(random_letters(random, 60));
    expected.push_back(slow_bpe(source, texts.back()));
  }
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 40; ++round) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
          if (*tokenizer->encode(texts[i], Specials::kNone) != expected[i]) ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("vocabulary tokenizer: a pre-tokenizer that there is not") {
  VocabularySource source = with_specials(Fidelity::kReference);
  source.pre_tokenizer.scanner = "gpt-9";
  auto vocabulary = Vocabulary::compile(source);
  REQUIRE(vocabulary.ok());
  const auto unknown = VocabularyTokenizer::create(*std::move(vocabulary));
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message == "no pre-tokenizer is called 'gpt-9'");

  source.pre_tokenizer = {"", {"\\d+", "(a"}};
  vocabulary = Vocabulary::compile(source);
  REQUIRE(vocabulary.ok());
  const auto wrong = VocabularyTokenizer::create(*std::move(vocabulary));
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message ==
        "pattern 2 of the pre-tokenizer, at byte 2: missing closing parenthesis");
}

TEST_CASE("vocabulary tokenizer: a block is read as it was written, and anything else is refused") {
  auto vocabulary = Vocabulary::compile(with_specials(Fidelity::kLlamaCpp));
  REQUIRE(vocabulary.ok());
  const std::string_view bytes = vocabulary->bytes();
  const std::vector<char> block(bytes.begin(), bytes.end());
  const auto again = Vocabulary::open(block);
  REQUIRE(again.ok());
  CHECK(again->name() == "specials");
  CHECK(again->size() == 261);
  CHECK(again->bytes() == bytes);
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    std::vector<char> damaged = block;
    if (i % 3 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    }
    CHECK_FALSE(Vocabulary::open(damaged).ok());
  }
  CHECK(Vocabulary::open(std::vector<char>(1000, 'x')).error().message ==
        "is not a compiled vocabulary");
}

TEST_CASE("vocabulary tokenizer: a special token may take the white space after it") {
  VocabularySource source = character_source();
  source.fidelity = Fidelity::kLlamaCpp;
  const TokenId end = static_cast<TokenId>(source.tokens.size());
  source.tokens.push_back({"<end>", TokenKind::kControl, 0});
  source.tokens.push_back({"<pad>", TokenKind::kControl, 0});
  source.strip_behind = {end};
  const auto tokenizer = made(source);
  const TokenId a = 257;  // the letter with a blank before it
  CHECK(*tokenizer->encode("<end> \n\t a<end>", Specials::kAll) == Ids{end, a, end});
  CHECK(*tokenizer->encode("<end><end> \n", Specials::kAll) == Ids{end, end});
  CHECK(*tokenizer->encode("<end> \n<pad>a", Specials::kAll) == Ids{end, end + 1, a});
  CHECK(tokenizer->encode("<pad> a", Specials::kAll)->size() == 3);
  CHECK(tokenizer->vocabulary().kind(end) == TokenKind::kControl);
  CHECK(*tokenizer->is_control(end));
}

TEST_CASE("vocabulary tokenizer: in llama.cpp characters merge to tokens of any kind") {
  VocabularySource source = character_source();
  const TokenId word = static_cast<TokenId>(source.tokens.size());
  source.tokens.push_back({"\u2581abx", TokenKind::kControl, 10});
  const auto reference = made(source);
  CHECK(reference->encode("abx", Specials::kNone)->size() == 2);
  source.fidelity = Fidelity::kLlamaCpp;
  CHECK(*made(source)->encode("abx", Specials::kNone) == Ids{word});
}

TEST_CASE("vocabulary tokenizer: tokens' texts have blanks, however the vocabulary writes them") {
  const auto tokenizer = made(character_source());
  CHECK(*tokenizer->piece(257) == " a");
  CHECK(*tokenizer->id_of(" a") == 257);
  CHECK(*tokenizer->id_of("\u2581a") == 257);
  CHECK(*tokenizer->pieces(Ids{257, 258}) == std::vector<std::string>{" a", "ab"});
}

}  // namespace pedro
