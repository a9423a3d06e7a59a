#include "regular/pattern_set.h"

#include <doctest/doctest.h>

#include <string>

#include "regular/regex.h"
#include "regular/slow_regex.h"

namespace pedro {
namespace {

std::string pattern_error(std::string_view pattern) {
  const auto set = pattern_set(pattern);
  return set ? "" : set.error().message;
}

}  // namespace

TEST_CASE("pattern_set: agrees with a backtracking engine on all small texts") {
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() == 5) continue;
    for (const char c : {'a', 'b', '1'}) texts.push_back(texts[i] + c);
  }
  for (const char* pattern : {
           "",
           "a",
           "^a",
           "a$",
           "^$",
           "^a*$",
           "^(ab|b)*$",
           "^a+b?1{2}$",
           "^a{1,2}b{2,}",
           "[^a]",
           "^[ab]*1$",
           "(^|b)a($|1)",
           "^(a|b(1|a)*)$",
           "^(?:a|)b",
           "a|^b|1$",
           "^^a",
           "a^",
           "$a",
           "^(a*)*$",
           "^((a|b)?1)*?$",
           "\\d",
           "^\\w\\D$",
           "^(?=a)..$",
           "^(?!ab)[ab]+$",
           "^(?!.*bb).*$",
           "^a(?!b).",
           "b(?=1)",
           "^(?=.*a)(?=.*1)",
           "^(?!a)|b$",
           "^(?!^[a1]*$)a*b*1*$",
           "^(?=^(?!^ab)a)^.b?",
           "^a(?=b|1$)[^a]*$",
           "^.{2,3}$",
           "a{0}",
           "^(a{2}){2}$",
           "x*",
           "^[\\d-a]+$",
       }) {
    CAPTURE(pattern);
    const auto regex = parse_regex(pattern);
    REQUIRE(regex.ok());
    const auto set = pattern_set(pattern);
    REQUIRE_MESSAGE(set.ok(), pattern_error(pattern));
    for (const std::string& text : texts) {
      CAPTURE(text);
      CHECK(set->contains(text) == found_slowly(*regex, text));
    }
  }
}

TEST_CASE("pattern_set: character classes of a pattern") {
  struct Row {
    const char* pattern;
    const char* in;
    const char* out;
  };
  for (const Row& row : {
           Row{"^\\u0041\\x42\\cJ$", "AB\n", "ab"},
           Row{"^\\u{1F600}$", "\xF0\x9F\x98\x80", "x"},
           Row{"^\\uD83D\\uDE00$", "\xF0\x9F\x98\x80", "x"},
           Row{"^[\\u4e00-\\u9fff]$", "\xE6\x97\xA5", "x"},
           Row{"^.$", "\xE6\x97\xA5", "\n"},
           Row{"^[^x]$", "\n", "x"},
           Row{"^\\s$", "\xC2\xA0", "\xE2\x80\x8B"},
           Row{"^\\S$", "\xE2\x80\x8B", " "},
           Row{"^a\\-\\_\\/\\.$", "a-_/.", "a-_/x"},
           Row{"^a{,2}b{$", "a{,2}b{", "aab"},
           Row{"^[]$|x", "x", ""},
           Row{"^[^]$", "\n", ""},
           Row{"^[a-]$", "-", "b"},
           Row{"^[\\b]$", "\b", "b"},
           Row{"^\\0$", "", "0"},
           Row{"^\\p{Lu}\\P{Lu}$", "\xC3\x84\xC3\xA4", "\xC3\xA4\xC3\xA4"},
           Row{"^[\\p{Script=Greek}\\p{Decimal_Number}]+$", "\xCF\x80\xD9\xA3", "p"},
           Row{"^(?<first>a)(?P<last>b)$", "ab", "a"},
       }) {
    CAPTURE(row.pattern);
    const auto set = pattern_set(row.pattern);
    REQUIRE_MESSAGE(set.ok(), pattern_error(row.pattern));
    const bool nul = std::string_view(row.pattern) == "^\\0$";
    CHECK(set->contains(nul ? std::string_view("\0", 1) : row.in));
    CHECK_FALSE(set->contains(row.out));
  }
}

TEST_CASE("pattern_set: an invalid or unsupported pattern is an error with its byte") {
  struct Row {
    const char* pattern;
    const char* message;
  };
  for (const Row& row : {
           Row{"a)", "')' without '(' at byte 2"},
           Row{"(a", "expected ')' at byte 3"},
           Row{"[a", "expected ']' at byte 3"},
           Row{"*a", "nothing to repeat at byte 1"},
           Row{"a**", "nothing to repeat at byte 3"},
           Row{"a{2}{3}", "nothing to repeat at byte 8"},
           Row{"^*", "nothing to repeat at byte 2"},
           Row{"a{3,2}", "{m,n} with m > n at byte 7"},
           Row{"[b-a]", "a range out of order at byte 5"},
           Row{"a\\", "a backslash at the end at byte 3"},
           Row{"\\x1", "expected 2 hexadecimal digits at byte 3"},
           Row{"\\u12", "expected 4 hexadecimal digits at byte 3"},
           Row{"\\u{110000}", "no such code point at byte 11"},
           Row{"(a)\\1", "not supported: back references at byte 5"},
           Row{"\\bx", "not supported: \\b at byte 2"},
           Row{"\\p{Nothing}", "not supported: \\p at byte 2"},
           Row{"\\P{a b}", "not supported: \\P at byte 2"},
           Row{"\\pL", "not supported: \\p at byte 2"},
           Row{"(?<=a)b", "not supported: look-behind at byte 2"},
           Row{"(?<n(a)>b", "not supported: this group at byte 2"},
           Row{"(?i)a", "not supported: this group at byte 2"},
           Row{"(a(?!b))*", "not supported: look-ahead in a group"},
           Row{"a$(?=b)", "not supported: '$' before a look-ahead"},
           Row{"(?=^a)", "not supported: '^' after a look-ahead"},
           Row{"^b(?=^a)", "not supported: '^' after a look-ahead"},
           Row{"^(?=b(?=^a))", "not supported: '^' after a look-ahead"},
       }) {
    CAPTURE(row.pattern);
    CHECK(pattern_error(row.pattern) == row.message);
  }
  CHECK(pattern_error(std::string(5000, 'a')) == "a pattern of more than 4096 bytes at byte 1");
  CHECK(pattern_error(std::string(60, '(') + std::string(60, ')')) ==
        "groups nested more than 50 deep at byte 52");
}

TEST_CASE("pattern_set: a pattern that would explode is an error, soon") {
  for (const char* pattern : {
           "^(((a{1,100}){1,100}){1,100}){1,100}$",
           "(a|b)*a(a|b){30}$",
           "^(.{1,63}\\.){1,127}$",
           "^(((((a*)*)*)*)*){1,9}$",
           "(x+x+)+(y{1000}){1000}",
           "^(ab{3000}c)$|d",
       }) {
    CAPTURE(pattern);
    const auto set = pattern_set(pattern);
    if (!set)
      CHECK((set.error().kind == ErrorKind::kLimit || set.error().kind == ErrorKind::kConfig));
    if (set) CHECK(set->states().size() <= TextSet::kMaxStates);
  }
}

}  // namespace pedro
