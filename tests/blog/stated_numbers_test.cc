#include <doctest/doctest.h>

#include "blog/stated_facts.h"

using namespace pedro;

namespace {

using Texts = std::vector<std::string>;

Texts missing(const std::string& text, const std::string& notes) {
  StatedNumbers numbers;
  numbers.add(notes);
  return numbers.missing_in(text);
}

}  // namespace

TEST_CASE("stated numbers: a number is the same in another spelling, and another one is named") {
  struct Row {
    const char* name;
    const char* notes;
    const char* text;
    Texts expected;
  };
  for (const Row& row : std::vector<Row>{
           {"nothing", "", "", {}},
           {"thousands", "3,100 orders", "3100, 3.100, 3 100 and 3'100 orders", {}},
           {"thousands with a narrow blank", "3100", "3\u202F100", {}},
           {"in words", "12k", "twelve thousand, 12,000 and 12 thousand", {}},
           {"words in the notes", "two hundred and thirty degrees", "230 degrees", {}},
           {"a number in words that is none of the notes'", "5 days", "three days", {"three"}},
           {"a number in words, joined", "", "It took twenty-five years.", {"twenty-five"}},
           {"a small scale", "1.2 million", "1,200,000 or 1.2M", {}},
           {"another scale", "12 people", "12 thousand people", {"12 thousand"}},
           {"metres are no millions", "5 m", "5 m and 5m", {}},
           {"decimals", "0,5 and 3.50", "0.5 and 3.5", {}},
           {"another decimal", "3.5", "5.3 and 35", {"5.3", "35"}},
           {"percent", "up 34 %", "34% and thirty-four percent", {}},
           {"a time", "at 09:05", "at 9:05, 10:05", {"10"}},
           {"a date", "3 June 2026", "2026-06-03", {"06"}},
           {"a version", "v2.10.3", "2.10.3, not 2.11.3", {"2.11.3"}},
           {"ordinals", "on the 3rd", "the 3rd, the first, the second, the fourth", {"fourth"}},
           {"one is no number", "", "No one has one.", {}},
           {"list numbers", "", "1. One\n2) Two words\n 3. x", {"Two"}},
           {"no list number", "", "Step 4. Then", {"4"}},
           {"code", "", "a\n```c\nx = 17;\n```\nb 18", {"18"}},
           {"a code block without an end", "", "a 3\n```\n17", {"3"}},
           {"a year that is said", "in twenty twenty four", "in 2024, not in 2023", {"2023"}},
           {"a decimal that is said", "three point five", "3.5", {}},
           {"a half that is said", "twelve and a half percent", "12.5 %", {}},
           {"a range", "10-15", "10 to 15, -20", {"20"}},
           {"each once", "", "7, 7 and 7", {"7"}},
           {"in words of other letters", "p99, Q2", "p99 in Q2, UTF-8", {"8"}},
           {"leading zeros", "007", "7 and 0", {"0"}},
           {"zero", "0", "zero, 0 and 00", {}},
           {"a dozen", "a dozen", "12, two dozen", {"two dozen"}},
           {"twelve is no dozen", "two twelve", "2, 12 and 24", {"24"}},
           {"a twelfth is no dozen", "", "two twelfth", {"two", "twelfth"}},
           {"a hundred is not added to a dozen", "", "two hundred dozen", {"two hundred", "dozen"}},
           {"bytes that are no text", "\xFF 5", "\xFF\xFE 5 6", {"6"}},
       }) {
    CAPTURE(row.name);
    CHECK(missing(row.text, row.notes) == row.expected);
  }
}

TEST_CASE("stated numbers: any amount of numbers and digits is read") {
  std::string many;
  for (int i = 0; i < 10000; ++i) many += std::to_string(i * 7 + 20000) + " and ";
  CHECK(missing(many, many).empty());
  CHECK(missing(many, "").size() == 10000);
  const std::string digits(1'000'000, '9');
  CHECK(missing(digits, digits).empty());
  std::string words;
  for (int i = 0; i < 100000; ++i) words += "million billion ";
  CHECK(missing(words, words).empty());
}
