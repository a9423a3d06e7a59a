#include "gbnf/gbnf.h"

#include <doctest/doctest.h>

#include "gbnf/grammar_builder.h"
#include "gbnf/match.h"
#include "gbnf/small_grammars.h"

namespace pedro {

TEST_CASE("gbnf: writes parentheses only if precedence needs them") {
  const Expr a = literal("a");
  const Expr b = literal("b");
  const Expr x = rule_ref("x");
  struct Row {
    const char* name;
    Expr expr;
    const char* text;
  };
  const Row rows[] = {
      {"empty", {}, "\"\""},
      {"neighbouring literals join", sequence({a, Expr{}, b}), "\"ab\""},
      {"sequences dissolve", sequence({x, sequence({a, x}), b}), "x \"a\" x \"b\""},
      {"alternation of sequences", alternation({sequence({a, x}), b}), "\"a\" x | \"b\""},
      {"alternation in a sequence", sequence({x, alternation({a, b})}), "x (\"a\" | \"b\")"},
      {"alternations dissolve", alternation({a, alternation({x, b}), a}), "\"a\" | x | \"b\""},
      {"alternation of nothing matches nothing", alternation({}), "[^\\x00-\\U0010FFFF]"},
      {"alternation with the empty text", alternation({a, Expr{}}), "\"a\" | \"\""},
      {"optional atom", maybe(x), "x?"},
      {"optional sequence", maybe(sequence({a, x})), "(\"a\" x)?"},
      {"repeated alternation", repetition(alternation({a, x}), 0, std::nullopt), "(\"a\" | x)*"},
      {"repeated repetition", repetition(maybe(x), 2, 2), "(x?){2}"},
      {"one or more", repetition(x, 1, std::nullopt), "x+"},
      {"at least three", repetition(x, 3, std::nullopt), "x{3,}"},
      {"up to", repetition(x, 0, kMaxRepeats), "x{0,1999}"},
      {"exactly once is the item", repetition(x, 1, 1), "x"},
      {"never is nothing", repetition(x, 0, 0), "\"\""},
      {"token by its text", sequence({token("<call>"), a}), "<call> \"a\""},
      {"token by its id", repetition(token(7), 2, 2), "<[7]>{2}"},
      {"any token but one", sequence({token("<a b>", true), token(7, true)}), "!<a b> !<[7]>"},
      {"nothing repeated is nothing", repetition(Expr{}, 0, std::nullopt), "\"\""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(print(row.expr) == row.text);
  }
}

TEST_CASE("gbnf: only escapes that every server reads") {
  CHECK(print(literal("\"\\/-\n\r\t\x01\x7F \xC3\xA9")) == R"("\"\\/-\n\r\t\x01\x7F )"
                                                           "\xC3\xA9\"");
  CHECK(print(literal("a\xFFz")) == "\"a\xEF\xBF\xBDz\"");
  CHECK(print(one_of({{'-', '-'}, {'^', '^'}, {'[', ']'}, {'"', '"'}, {'/', '/'}})) ==
        R"(["\x2D/\[-\x5E])");
  CHECK(print(one_of({{0, 0x1F}, {'\n', '\n'}, {0xE9, 0xE9}, {0x10000, 0x10FFFF}})) ==
        R"([\x00-\x1F\u00E9\U00010000-\U0010FFFF])");
}

TEST_CASE("gbnf: a class is sorted and merged") {
  CHECK(print(one_of({{'d', 'f'}, {'a', 'b'}, {'c', 'c'}, {'z', 'y'}})) == "[a-f]");
  CHECK(print(one_of({{'a', 'b'}})) == "[ab]");
  CHECK(print(none_of({{'a', 'a'}})) == "[^a]");
  CHECK(print(none_of({})) == ".");
  CHECK(none_of({{'b', 0x10FFFF}, {0, 'a'}}) == one_of({}));
  CHECK(print(one_of({})) == "[^\\x00-\\U0010FFFF]");
}

TEST_CASE("gbnf: a common beginning of all options is written once") {
  const Expr x = rule_ref("x");
  struct Row {
    const char* name;
    std::vector<Expr> options;
    const char* text;
  };
  const Row rows[] = {
      {"literals part at their first difference",
       {literal("\"grep\""), literal("\"glob\"")},
       R"("\"g" ("rep\"" | "lob\""))"},
      {"items and then a part of a literal",
       {sequence({literal("a"), x, literal("bc")}), sequence({literal("a"), x, literal("bd"), x})},
       R"("a" x "b" ("c" | "d" x))"},
      {"one is the beginning of the other", {literal("1"), literal("12")}, R"("1" ("" | "2"))"},
      {"never inside a code point",
       {literal("\xC3\xA9"), literal("\xC3\xA8")},
       "\"\xC3\xA9\" | \"\xC3\xA8\""},
      {"nothing in common", {x, literal("a")}, R"(x | "a")"},
      {"all the same", {literal("ab"), literal("ab")}, R"("ab")"},
      {"a single one", {x}, "x"},
      {"none", {}, "[^\\x00-\\U0010FFFF]"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(print(factored_alternation(row.options)) == row.text);
  }
}

TEST_CASE("gbnf: root is printed first") {
  const Gbnf grammar{{Rule{"b", literal("x")}, Rule{"root", rule_ref("b")}, Rule{"a", Expr{}}}};
  CHECK(print(grammar) == "root ::= b\nb ::= \"x\"\na ::= \"\"\n");
  CHECK(grammar == Gbnf(grammar));
  CHECK_FALSE(grammar == Gbnf{});
}

TEST_CASE("gbnf: names hold nothing that the server refuses") {
  CHECK(rule_name("code_edit.v2") == "code-edit-v2");
  CHECK(rule_name("Az09-") == "Az09-");
  CHECK(rule_name("") == "rule");
  CHECK(rule_name("\xC3\xA9") == "--");
  CHECK(rule_name(std::string(1000, 'a')).size() == 64);
}

TEST_CASE("gbnf: to a matcher a token is only the bytes of its text") {
  const auto called = Matcher::compile(only(sequence({token("<call>"), literal("{")})));
  REQUIRE(called.ok());
  Matcher matcher = *called;
  CHECK(*matcher.accept("<call>{") == 7);
  CHECK(matcher.is_complete());
  const auto message = [](Expr expr) {
    const auto compiled = Matcher::compile(only(std::move(expr)));
    return compiled.ok() ? "" : compiled.error().message;
  };
  CHECK(message(token(7)) == "rule 'root' asks for <[7]>: bytes cannot express a token");
  CHECK(message(many(token("<call>", true))) ==
        "rule 'root' asks for !<call>: bytes cannot express a token");
}

TEST_CASE("gbnf: a token is equal to its like only") {
  CHECK(token("<a>") == token("<a>"));
  CHECK_FALSE(token("<a>") == token("<b>"));
  CHECK_FALSE(token("<a>") == token("<a>", true));
  CHECK_FALSE(token("<a>") == literal("<a>"));
  CHECK_FALSE(token(1) == token(2));
  CHECK(sequence({token("<a>"), token("<a>")}) == Expr{Sequence{{token("<a>"), token("<a>")}}});
}

TEST_CASE("grammar builder: equal bodies share a rule, equal names are numbered") {
  GrammarBuilder builder;
  CHECK(print(builder.add("a_b", literal("1"))) == "a-b");
  CHECK(print(builder.add("a-b", literal("2"))) == "a-b-2");
  CHECK(print(builder.add("other", literal("1"))) == "a-b");
  CHECK(print(builder.add("root", literal("3"))) == "root-2");
  CHECK(print(builder.finish(rule_ref("root-2"))) ==
        "root ::= root-2\na-b ::= \"1\"\na-b-2 ::= \"2\"\nroot-2 ::= \"3\"\n");
}

TEST_CASE("grammar builder: after a grammar it is empty and has the same blanks") {
  for (const JsonBlanks blanks : {JsonBlanks::kOptional, JsonBlanks::kOne}) {
    GrammarBuilder builder(blanks);
    for (int i = 0; i < 2; ++i) {
      CHECK(print(builder.finish(builder.add("a", literal("1")))) == "root ::= a\na ::= \"1\"\n");
      CHECK(builder.blanks() == blanks);
    }
  }
}

}  // namespace pedro
