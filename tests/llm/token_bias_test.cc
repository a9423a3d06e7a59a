#include "llm/token_bias.h"

#include <doctest/doctest.h>

#include "tokenizer/small_vocabulary.h"
#include "tokenizer/vocabulary_readers.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

// A vocabulary of all bytes and these tokens. Each token must extend an earlier token by one
// letter.
std::unique_ptr<VocabularyTokenizer> tokenizer_of(const std::vector<std::string>& tokens) {
  const std::string gguf = small_gguf(tokens);
  auto vocabulary = Vocabulary::compile(*read_gguf_vocabulary(*GgufFile::open(gguf)));
  REQUIRE(vocabulary.ok());
  auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  REQUIRE(tokenizer.ok());
  return *std::move(tokenizer);
}

const std::vector<std::string> kAction = {"ac", "act", "acti", "actio", "action"};

std::string shown(const BiasedText& text, Tokenizer& tokenizer) {
  const auto biases = find_biases({&text, 1}, tokenizer);
  REQUIRE(biases.ok());
  return to_text(biases->front()) + " | " + to_json_rows(token_biases(*biases));
}

}  // namespace

TEST_CASE("bias: the tokens of a text, after any other text") {
  struct Row {
    const char* name;
    std::vector<std::string> tokens;
    BiasedText text;
    std::string expected;
  };
  std::vector<std::string> with_blank = {" a", " ac", " act", " acti", " actio", " action"};
  with_blank.insert(with_blank.end(), kAction.begin(), kAction.end());
  for (const Row& row : {
           Row{"one token in all forms",
               kAction,
               {"action", 5},
               R"(action 5: "action" 260 | [260,5])"},
           Row{"another one behind a blank",
               with_blank,
               {"action", 5},
               R"(action 5: "action" 266; " action" 261 | [261,5],[266,5])"},
           Row{"several, the first of which tells it",
               {"ac", "act", "acti"},
               {"action", 2.5},
               R"(action 2.5: "action" 258 111 110 (the first) | [258,2.5])"},
           Row{"several that are fragments",
               {"ac"},
               {"action", 5},
               R"(action 5: "action" 256 116 105 111 110 (no token of its own: not biased) | )"},
           Row{"one letter is a token", {}, {"x", -1}, R"(x -1: "x" 120 | [120,-1])"},
           Row{"capitalised too",
               kAction,
               {"action", 5, true},
               R"(action 5: "action" 260; "Action" 65 99 116 105 111 110 )"
               R"((no token of its own: not biased) | [260,5])"},
       }) {
    CAPTURE(row.name);
    CHECK(shown(row.text, *tokenizer_of(row.tokens)) == row.expected);
  }
}

TEST_CASE("bias: texts of one token add up, forms of one text do not") {
  const auto tokenizer = tokenizer_of(kAction);
  const std::vector<BiasedText> texts = {{"action", 5}, {"action", 1}, {"x", 2}};
  const auto biases = find_biases(texts, *tokenizer);
  REQUIRE(biases.ok());
  CHECK(to_json_rows(token_biases(*biases)) == "[120,2],[260,6]");
}

}  // namespace pedro
