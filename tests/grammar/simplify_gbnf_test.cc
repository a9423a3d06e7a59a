#include "grammar/simplify_gbnf.h"

#include <doctest/doctest.h>

#include <set>

#include "grammar/check_gbnf.h"
#include "grammar/factor_options.h"
#include "grammar/left_recursion.h"
#include "grammar/match.h"
#include "grammar/random_grammar.h"
#include "grammar/slow_matcher.h"
#include "grammar/small_grammars.h"

namespace pedro {
namespace {

Gbnf grammar_of(std::string_view text) {
  const auto grammar = parse_gbnf(text, "g");
  REQUIRE_MESSAGE(grammar.ok(), (grammar.ok() ? "" : grammar.error().message));
  return grammar->grammar;
}

std::string simplified(std::string_view text) {
  return print(simplify(grammar_of(text)));
}

bool has_errors(const Gbnf& grammar) {
  const auto again = parse_gbnf(print(grammar), "g");
  return !again.ok() || check_gbnf(*again).has_errors();
}

void check_same_language(const Gbnf& grammar, std::size_t max_length) {
  const Gbnf simple = simplify(grammar);
  CAPTURE(print(grammar));
  CAPTURE(print(simple));
  CHECK(simplify(simple) == simple);
  CHECK_FALSE(has_errors(simple));
  for (const std::string& text : all_strings("abc", max_length)) {
    CAPTURE(text);
    CHECK(SlowMatcher(simple, text).matches() == SlowMatcher(grammar, text).matches());
  }
}

// Returns true if the options of each alternation begin with different characters.
bool is_trie(const Expr& expr) {
  std::set<char> first;
  for (const Expr& part : children(expr)) {
    if (!is_trie(part)) return false;
    if (!std::holds_alternative<Alternation>(expr.node)) continue;
    const Expr* begin = &part;
    if (const auto* list = std::get_if<Sequence>(&part.node); list && !list->items.empty()) {
      begin = &list->items.front();
    }
    const auto* text = std::get_if<Literal>(&begin->node);
    if (text && !first.insert(text->bytes.front()).second) return false;
  }
  return true;
}

std::vector<Expr> words(int count) {
  std::vector<Expr> out;
  for (int i = 0; i < count; ++i)
    out.push_back(literal("word-" + std::to_string(i * 7919 % 10007)));
  return out;
}

}  // namespace

TEST_CASE("simplify: what comes of each grammar") {
  const struct {
    const char* name;
    const char* text;
    const char* simple;
  } rows[] = {
      {"a rule that is used once stands where its name stood",
       "root ::= a \"c\"\na ::= \"a\" b\nb ::= [xy]+", "root ::= \"a\" [xy]+ \"c\"\n"},
      {"literals join across rules", "root ::= a b a\na ::= \"a\"\nb ::= \"b\"",
       "root ::= \"aba\"\n"},
      {"a reference to a reference", "root ::= a a\na ::= b\nb ::= c\nc ::= \"c\" d? d?\nd ::= .",
       "root ::= a a\na ::= \"c\" .? .?\n"},
      {"what is used twice stays", "root ::= a a\na ::= \"a\" | \"b\"",
       "root ::= a a\na ::= \"a\" | \"b\"\n"},
      {"a long literal that is used twice stays",
       "root ::= a \"-\" a\na ::= \"a literal of more than one hundred and twenty bytes is not "
       "copied for it would make the grammar longer than it was before, which helps nobody\"",
       "root ::= a \"-\" a\na ::= \"a literal of more than one hundred and twenty bytes is not "
       "copied for it would make the grammar longer than it was before, which helps nobody\"\n"},
      {"rules that root does not lead to are gone", "a ::= \"a\"\nroot ::= \"b\"\nb ::= a b",
       "root ::= \"b\"\n"},
      {"a rule that refers to itself stays", "root ::= \"(\" a \")\"\na ::= \"a\" a | \"b\"",
       "root ::= \"(\" a \")\"\na ::= \"a\" a | \"b\"\n"},
      {"rules that refer to each other become one",
       "root ::= \"(\" a\na ::= \"a\" b | \"b\"\nb ::= \")\" a",
       "root ::= \"(\" a\na ::= \"a)\" a | \"b\"\n"},
      {"root may be referred to", "root ::= \"a\" x | \"b\"\nx ::= root",
       "root ::= \"a\" root | \"b\"\n"},
      {"what is repeated keeps its name",
       "root ::= a{0,40} b+\na ::= \"a\" c?\nb ::= d\nc ::= .\nd ::= \"x\"",
       "root ::= a{0,40} \"x\"+\na ::= \"a\" .?\n"},
      {"also within what is repeated", "root ::= (\"x\" a b)*\na ::= \"a\"{0,50}\nb ::= \"b\"",
       "root ::= (\"x\" a \"b\")*\na ::= \"a\"{0,50}\n"},
      {"what is repeated too often gets a name",
       "root ::= (\"ab\" x | \"ac\" y){0,700}\nx ::= [x] y\ny ::= [y] | \"z\"",
       "root ::= root-item{0,700}\ny ::= [y] | \"z\"\n"
       "root-item ::= \"a\" (\"b\" [x] y | \"c\" y)\n"},
      {"a name that is taken",
       "root ::= (x y){0,900} root-item\nx ::= [a] | [b]\ny ::= x x\n"
       "root-item ::= x y x | y x",
       "root ::= root-item-2{0,900} (x y x | y x)\nx ::= [a] | [b]\ny ::= x x\n"
       "root-item-2 ::= x y\n"},
      {"groups of options", R"(root ::= "abc" | x | "abd" | "e" | x "f" | "" | "a" | "abc"
x ::= [x] x | [y])",
       R"(root ::= "a" ("b" ("c" | "d") | "") | x ("" | "f") | "e" | ""
x ::= [x] x | [y])"
       "\n"},
      {"never inside a code point",
       "root ::= \"\xC3\xA9\" | \"\xC3\xA8\" | \"\xC3\xA9x\" | \"a\xC3\xA9\" | \"a\xC3\xA8\"",
       "root ::= \"\xC3\xA9\" (\"\" | \"x\") | \"\xC3\xA8\" | \"a\" (\"\xC3\xA9\" | "
       "\"\xC3\xA8\")\n"},
      {"options of an inlined rule",
       "root ::= \"ab\" | a\na ::= \"ac\" | \"d\" b\nb ::= \"d\" | \"de\"",
       "root ::= \"a\" (\"b\" | \"c\") | \"dd\" (\"\" | \"e\")\n"},
      {"tokens", "root ::= <a> x | <a> \"y\"\nx ::= <b> !<[1]>*",
       "root ::= <a> (<b> !<[1]>* | \"y\")\n"},
      {"no root", "a ::= b\nb ::= \"c\"", "a ::= b\nb ::= \"c\"\n"},
      {"a name without a rule", "root ::= a b\na ::= \"a\"", "root ::= \"a\" b\n"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(simplified(row.text) == row.simple);
  }
}

TEST_CASE("simplify: the language of the small grammars stays the same") {
  for (const NamedGrammar& row : small_grammars()) {
    CAPTURE(row.name);
    check_same_language(row.grammar, 6);
  }
}

TEST_CASE("simplify: the language of random grammars stays the same") {
  RandomGrammar random(3);
  int tried = 0;
  while (tried < 400) {
    const Gbnf grammar = random.small(1 + tried % 5);
    if (!check_left_recursion(grammar).ok()) continue;
    ++tried;
    check_same_language(grammar, 4);
  }
}

TEST_CASE("simplify: a second time nothing changes, and what is printed can be parsed") {
  RandomGrammar random(4);
  for (int i = 0; i < 1000; ++i) {
    const Gbnf simple = simplify(random.wild(1 + i % 6));
    CAPTURE(print(simple));
    CHECK(simplify(simple) == simple);
    CHECK(grammar_of(print(simple)) == simple);
  }
}

TEST_CASE("simplify: a thousand words become a trie") {
  const Gbnf grammar = only(alternation(words(1000)));
  const Gbnf simple = simplify(grammar);
  CHECK(is_trie(simple.rules[0].expr));
  CHECK_FALSE(is_trie(grammar.rules[0].expr));
  CHECK(print(simple).size() < print(grammar).size());
  const auto matcher = Matcher::compile(simple);
  REQUIRE(matcher.ok());
  for (const Expr& word : words(1000)) {
    const std::string& text = std::get<Literal>(word.node).bytes;
    Matcher reader = *matcher;
    CHECK(*reader.accept(text) == text.size());
    CHECK(reader.is_complete());
  }
}

TEST_CASE("simplify: nothing nests deeper than it may") {
  std::vector<Expr> prefixes;
  for (int i = 1; i < 300; ++i)
    prefixes.push_back(literal(std::string(static_cast<std::size_t>(i), 'a')));
  const Gbnf trie = simplify(only(alternation(std::move(prefixes))));
  CHECK(height(trie.rules[0].expr) <= kMaxExprDepth);
  CHECK(simplify(trie) == trie);
  CHECK(Matcher::compile(trie).ok());

  Gbnf chain;
  for (int i = 0; i < 500; ++i) {
    const std::string name = i == 0 ? "root" : "r" + std::to_string(i);
    const std::string next = "r" + std::to_string(i + 1);
    chain.rules.push_back(
        Rule{name, alternation({sequence({rule_ref(next), literal("a")}), literal("b")})});
  }
  chain.rules.push_back(Rule{"r500", literal("c")});
  const Gbnf short_chain = simplify(chain);
  CHECK(short_chain.rules.size() < 12);
  CHECK(simplify(short_chain) == short_chain);
  for (const Rule& rule : short_chain.rules) CHECK(height(rule.expr) <= kMaxExprDepth);
}

TEST_CASE("simplify: a class that stands in a thousand places keeps its name") {
  std::vector<Expr> items(1000, rule_ref("x"));
  const Gbnf grammar{{Rule{"root", sequence(std::move(items))}, Rule{"x", one_of({{'a', 'c'}})}}};
  CHECK(simplify(grammar).rules.size() == 1);
  std::vector<Expr> more(1001, rule_ref("x"));
  const Gbnf larger{{Rule{"root", sequence(std::move(more))}, Rule{"x", one_of({{'a', 'c'}})}}};
  CHECK(simplify(larger) == larger);
}

TEST_CASE("simplify: long chains of rules take no long time") {
  std::string text = "root ::= r0\n";
  for (int i = 0; i < 5'000; ++i) {
    text += "r" + std::to_string(i) + " ::= [x] r" + std::to_string(i + 1) + "\n";
  }
  const Gbnf simple = simplify(grammar_of(text + "r5000 ::= \"end\"\n"));
  CHECK(simple.rules.size() < 100);
  CHECK(simplify(simple) == simple);
}

}  // namespace pedro
