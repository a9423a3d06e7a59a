#include "regular/text_set_to_gbnf.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "gbnf/match.h"
#include "regular/pattern_set.h"

namespace pedro {
namespace {

Gbnf grammar_of(const TextSet& set, TextEncoding form) {
  GrammarBuilder builder;
  Expr root = add_text_set(builder, set, form, "text");
  return builder.finish(std::move(root));
}

std::string gbnf_of(std::string_view pattern, TextEncoding form) {
  return print(grammar_of(*pattern_set(pattern), form));
}

}  // namespace

TEST_CASE("text_set_to_gbnf: the grammar reads like the pattern") {
  struct Row {
    const char* pattern;
    TextEncoding form;
    const char* gbnf;
  };
  for (const Row& row : {
           Row{"^(red|green|grey)$", TextEncoding::kJsonString,
               "root ::= \"\\\"\" (\"gre\" (\"en\\\"\" | \"y\\\"\") | \"red\\\"\")\n"},
           Row{"^[a-z]{2,10}$", TextEncoding::kPlain, "root ::= [a-z]{2,10}\n"},
           Row{"^[a-z]*$", TextEncoding::kPlain, "root ::= [a-z]*\n"},
           Row{"^a+b?$", TextEncoding::kPlain, "root ::= \"a\" \"a\"* (\"b\" | \"\")\n"},
           Row{"^\\d{4}-\\d\\d$", TextEncoding::kJsonString,
               "root ::= \"\\\"\" [0-9]{4} \"-\" [0-9]{2} \"\\\"\"\n"},
           Row{"^(ab)*$", TextEncoding::kPlain, "root ::= text\ntext ::= \"ab\" text | \"\"\n"},
       }) {
    CAPTURE(row.pattern);
    CHECK(gbnf_of(row.pattern, row.form) == row.gbnf);
  }
}

TEST_CASE("text_set_to_gbnf: the grammar accepts exactly the texts in the set") {
  std::vector<std::string> texts = {"\"",   "\\",   "\n",  "\x1f",  "/", "é", "\xF0\x9F\x98\x80",
                                    "\x7f", "a\"b", "1.5", "abcabc"};
  for (std::size_t i = texts.size(); i < 1200; ++i) {
    std::string text;
    for (std::size_t n = i; n > 11; n /= 5) text += "ab1-\""[n % 5];
    texts.push_back(std::move(text));
  }
  for (const char* pattern : {
           "",
           "^$",
           "^[^a]*$",
           "a",
           "^(a|b)*1(a|b)(a|b)$",
           "^[ab]{2,4}(-[ab]{1,2})*$",
           "^(?!.*--).*$",
           "^.{3,}$",
           "^[\"\\\\\n-\x1f]*$",
           "^(a|ab|abc|b|bc|c){1,3}$",
           "^[ab]{0,2}1{2}",
           "^(a|b[a-]|bba|bbba)1$",
           "\"$",
       }) {
    CAPTURE(pattern);
    const TextSet set = *pattern_set(pattern);
    const auto plain = Matcher::compile(grammar_of(set, TextEncoding::kPlain));
    const auto json = Matcher::compile(grammar_of(set, TextEncoding::kJsonString));
    REQUIRE(plain.ok());
    REQUIRE(json.ok());
    for (const std::string& text : texts) {
      CAPTURE(text);
      const auto takes = [](Matcher matcher, const std::string& whole) {
        return *matcher.accept(whole) == whole.size() && matcher.is_complete();
      };
      CHECK(takes(*plain, text) == set.contains(text));
      CHECK(takes(*json, to_line(Json(text))) == set.contains(text));
    }
  }
}

TEST_CASE("text_set_to_gbnf: the empty set matches nothing, a long one does not nest") {
  CHECK_FALSE(*matches(grammar_of(TextSet(), TextEncoding::kJsonString), "\"\""));
  std::string text;
  for (int i = 0; i < 3000; ++i) text += static_cast<char>('a' + i * 7 % 26);
  const Gbnf grammar =
      grammar_of(*TextSet::of({text, text + "!", text.substr(0, 1500)}), TextEncoding::kJsonString);
  CHECK(*matches(grammar, "\"" + text + "!\""));
  CHECK(*matches(grammar, "\"" + text.substr(0, 1500) + "\""));
  CHECK_FALSE(*matches(grammar, "\"" + text.substr(0, 1501) + "\""));
}

}  // namespace pedro
