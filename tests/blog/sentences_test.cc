#include "blog/sentences.h"

#include <doctest/doctest.h>

using namespace pedro;

namespace {

using Texts = std::vector<std::string>;

Texts texts_in(const std::string& text) {
  Texts texts;
  for (const Sentence& sentence : sentences_of(text)) {
    const char* kind = sentence.kind == Sentence::Kind::kProse     ? ""
                       : sentence.kind == Sentence::Kind::kHeading ? "# "
                                                                   : "| ";
    texts.push_back(kind + text.substr(sentence.begin, sentence.end - sentence.begin));
  }
  return texts;
}

}  // namespace

TEST_CASE("sentences: prose is split only at the end of a sentence") {
  struct Row {
    const char* name;
    const char* text;
    Texts expected;
  };
  for (const Row& row : std::vector<Row>{
           {"nothing", "", {}},
           {"blanks", " \n\t\n", {}},
           {"a word", "x", {"x"}},
           {"two", "One. Two!", {"One.", "Two!"}},
           {"over lines", "One\ngoes on. Two", {"One\ngoes on.", "Two"}},
           {"abbreviations",
            "Use e.g. This, Dr. No and J. Doe. End",
            {"Use e.g. This, Dr. No and J. Doe.", "End"}},
           {"numbers", "It is 3.5 or v1.2. Fine", {"It is 3.5 or v1.2.", "Fine"}},
           {"in quotation marks",
            "\"So.\" He said. (Yes.) No",
            {"\"So.\"", "He said.", "(Yes.)", "No"}},
           {"small letters go on", "wait... what. no", {"wait... what. no"}},
           {"Japanese", "蜂蜜。甘い。", {"蜂蜜。", "甘い。"}},
           {"list items", "- One. Two\n* c\n2. d\n", {"One.", "Two", "c", "d"}},
           {"a line of an item", "- a\n  b\n- c", {"a\n  b", "c"}},
           {"paragraphs", "a\n\nb", {"a", "b"}},
           {"a heading", "# T\na", {"# # T", "a"}},
           {"code", "a\n```c\nx. Y\n\n```\nb", {"a", "| ```c\nx. Y\n\n```", "b"}},
           {"code without an end", "a\n~~~\nx. Y\n```", {"a", "| ~~~\nx. Y\n```"}},
           {"a table", "| a |\n|---|\nb", {"| | a |\n|---|", "b"}},
           {"no marker", "-a\n*b*", {"-a\n*b*"}},
           {"bytes that are no text", "\xFF. \xFE", {"\xFF.", "\xFE"}},
       }) {
    CAPTURE(row.name);
    CHECK(texts_in(row.text) == row.expected);
  }
}

TEST_CASE("sentences: a removed sentence takes its empty item or paragraph with it") {
  struct Row {
    const char* name;
    const char* text;
    std::vector<bool> left_out;
    const char* expected;
  };
  for (const Row& row : std::vector<Row>{
           {"none", "One. Two.\n\n- c", {false, false, false}, "One. Two.\n\n- c"},
           {"all", "One. Two.", {true, true}, ""},
           {"the first", "One. Two. Three.", {true, false, false}, "Two. Three."},
           {"the middle", "One. Two. Three.", {false, true, false}, "One. Three."},
           {"the last of a paragraph",
            "One. Two.\n\nThree.",
            {false, true, false},
            "One.\n\nThree."},
           {"an item", "- One.\n- Two.\n- Three.", {false, true, false}, "- One.\n- Three."},
           {"a part of an item", "- One. Two.\n- Three.", {true, false, false}, "- Two.\n- Three."},
           {"a paragraph", "One.\n\nTwo.\n\nThree.", {false, true, false}, "One.\n\nThree."},
       }) {
    CAPTURE(row.name);
    CHECK(without_sentences(row.text, row.left_out) == row.expected);
  }
}

TEST_CASE("sentences: a text of any shape is read in one pass") {
  for (const char* piece : {"a. ", "- ", "#", "```\n", "|", "(((", ".", "\"'", "1."}) {
    CAPTURE(piece);
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    const std::vector<Sentence> all = sentences_of(text);
    for (const Sentence& sentence : all) REQUIRE(sentence.end <= text.size());
  }
}
