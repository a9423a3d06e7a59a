#include "gbnf/match.h"

#include <doctest/doctest.h>

#include <bitset>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gbnf/slow_matcher.h"
#include "gbnf/small_grammars.h"

namespace pedro {
namespace {

const Expr kA = literal("a");
const Expr kB = literal("b");
const Expr kC = literal("c");

// The matching texts over "abc" up to a length, and all their prefixes.
struct Language {
  std::set<std::string> matching;
  std::set<std::string> beginnings;

  Language(const Gbnf& grammar, std::size_t max_length) {
    for (const std::string& text : all_strings("abc", max_length)) {
      if (!SlowMatcher(grammar, text).matches()) continue;
      matching.insert(text);
      for (std::size_t n = 0; n <= text.size(); ++n) beginnings.insert(text.substr(0, n));
    }
  }

  // The longest common continuation of all matching texts that begin with `text`; nothing without
  // such texts.
  std::optional<std::string> forced(const std::string& text) const {
    if (!beginnings.contains(text)) return std::nullopt;
    std::optional<std::string> common;
    for (const std::string& whole : matching) {
      if (!whole.starts_with(text)) continue;
      const std::string rest = whole.substr(text.size());
      if (!common) common = rest;
      while (!rest.starts_with(*common)) common->pop_back();
    }
    return common;
  }
};

}  // namespace

TEST_CASE("match: agrees with the slow matcher on all strings up to six letters") {
  for (const NamedGrammar& row : small_grammars()) {
    const Language language(row.grammar, 7);
    for (const std::size_t cache_bytes : {Matcher::kCacheBytes, std::size_t{0}}) {
      CAPTURE(row.name);
      CAPTURE(cache_bytes);
      const auto compiled = Matcher::compile(row.grammar, cache_bytes);
      REQUIRE(compiled.ok());
      int wrong = 0;
      for (const std::string& text : all_strings("abc", 6)) {
        Matcher matcher = *compiled;
        const auto taken = matcher.accept(text);
        REQUIRE(taken.ok());
        const bool whole = *taken == text.size();
        if ((whole && matcher.is_complete()) != language.matching.contains(text)) ++wrong;
        if (language.beginnings.contains(text) && !whole) ++wrong;
        if (!whole) continue;
        const std::bitset<256> bytes = matcher.next_bytes();
        if (bytes.any() != matcher.can_continue()) ++wrong;
        for (const char letter : {'a', 'b', 'c'}) {
          const bool goes_on = language.beginnings.contains(text + letter);
          if (goes_on && !bytes[static_cast<unsigned char>(letter)]) ++wrong;
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("match: allowed and forced continuations agree with trying everything") {
  for (const NamedGrammar& row : small_grammars()) {
    CAPTURE(row.name);
    const Language language(row.grammar, 7);
    if (language.matching.empty()) continue;
    const auto compiled = Matcher::compile(row.grammar);
    REQUIRE(compiled.ok());
    for (const std::string& text : all_strings("abc", 2)) {  // seven letters complete each of them
      CAPTURE(text);
      Matcher matcher = *compiled;
      if (*matcher.accept(text) != text.size()) continue;
      const std::bitset<256> bytes = matcher.next_bytes();
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const char letter = static_cast<char>(byte);
        Matcher next = matcher;
        CHECK(bytes[byte] == (*next.accept(std::string_view(&letter, 1)) == 1));
        if (letter < 'a' || letter > 'c') continue;
        CHECK(bytes[byte] == language.beginnings.contains(text + letter));
      }
      if (const auto forced = language.forced(text)) CHECK(matcher.forced() == *forced);
    }
  }
}

TEST_CASE("match: forced text ends with a character") {
  const Expr euro = literal("\xE2\x82\xAC");
  const Expr dollar_or_cent = one_of({{'$', '$'}, {0xA2, 0xA2}});
  const struct {
    const char* name;
    Expr root;
    const char* text;
    std::string forced;
  } rows[] = {
      {"a literal", literal("abc\xC3\xA9"), "a", "bc\xC3\xA9"},
      {"up to a choice", sequence({literal("a"), alternation({kB, kC})}), "", "a"},
      {"up to where the text is whole", sequence({kA, kB, maybe(kC)}), "", "ab"},
      {"nothing where it is whole already", many(kA), "aa", ""},
      {"characters that begin alike", alternation({euro, literal("\xE2\x82\xAD")}), "", ""},
      {"a character that is begun", sequence({euro, kB}), "\xE2",
       "\x82\xAC"
       "b"},
      {"one that is begun and not decided", alternation({euro, literal("\xE2\x82\xAD")}), "\xE2",
       ""},
      {"a class with one character", sequence({one_of({{0xE9, 0xE9}}), dollar_or_cent}), "",
       "\xC3\xA9"},
      {"a class of which one is begun", sequence({dollar_or_cent, kB}), "\xC2",
       "\xA2"
       "b"},
      {"up to where nothing can follow", sequence({kA, kB, one_of({})}), "", "a"},
      {"up to the least number", repetition(kA, 3, std::nullopt), "", "aaa"},
      {"counted", sequence({repetition(literal("ab"), 1999, 1999), kC}), "a",
       [] {
         std::string text = "b";
         while (text.size() + 2 <= 3998) text += "ab";
         return text + "c";
       }()},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    Matcher matcher = *Matcher::compile(only(row.root));
    REQUIRE(*matcher.accept(row.text) == std::string_view(row.text).size());
    CHECK(matcher.forced() == row.forced);
  }
}

TEST_CASE("match: forced text is limited, at a character") {
  const Expr root = rule_ref("root");
  const auto endless = *Matcher::compile(Gbnf{{Rule{"root", sequence({literal("a"), root})}}});
  CHECK(endless.forced() == std::string(Matcher::kMaxForcedBytes, 'a'));
  const Expr three = literal("\xE2\x82\xAC");
  const auto euros = *Matcher::compile(Gbnf{{Rule{"root", sequence({three, root})}}});
  CHECK(euros.forced().size() == Matcher::kMaxForcedBytes / 3 * 3);
}

TEST_CASE("match: stops at a byte that does not fit, and can continue from there") {
  auto matcher = *Matcher::compile(only(sequence({many(kA), literal("bc")})));
  CHECK(*matcher.accept("aaxb") == 2);
  CHECK_FALSE(matcher.is_complete());
  CHECK(matcher.can_continue());
  CHECK(*matcher.accept("bc") == 2);
  CHECK(matcher.is_complete());
  CHECK_FALSE(matcher.can_continue());
  CHECK(*matcher.accept("a") == 0);
  CHECK(matcher.is_complete());
}

TEST_CASE("match: a byte refused only after the end of a rule changes nothing") {
  auto matcher = *Matcher::compile(Gbnf{{
      Rule{"root", sequence({kA, rule_ref("x"), one_of({})})},
      Rule{"x", alternation({kB, literal("cb")})},
  }});
  CHECK(*matcher.accept("ab") == 1);
  CHECK(*matcher.accept("cb") == 1);
  CHECK_FALSE(matcher.is_complete());
  CHECK_FALSE(matcher.can_continue());
}

TEST_CASE("match: a copy goes its own way") {
  auto first = *Matcher::compile(Gbnf{{
      Rule{"root", alternation({sequence({kA, rule_ref("root"), kB}), kC})},
  }});
  REQUIRE(*first.accept("aa") == 2);
  Matcher second = first;
  CHECK(*first.accept("cbb") == 3);
  CHECK(first.is_complete());
  CHECK_FALSE(second.is_complete());
  CHECK(*second.accept("acbbb") == 5);
  CHECK(second.is_complete());
}

TEST_CASE("match: UTF-8 may be cut anywhere and must be well-formed") {
  struct Row {
    const char* name;
    Expr root;
    const char* text;
    bool fits;
  };
  const Expr letters = many(none_of({{'"', '"'}, {0, 0x1F}}));
  const Row rows[] = {
      {"all lengths", letters, "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", true},
      {"the first and the last of each length", letters,
       "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80"
       "\xF4\x8F\xBF\xBF",
       true},
      {"a surrogate", letters, "\xED\xA0\x80", false},
      {"overlong", letters, "\xC0\x80", false},
      {"beyond the last", letters, "\xF4\x90\x80\x80", false},
      {"cut short", letters, "\xE2\x82", false},
      {"a byte that continues nothing", letters, "\x80", false},
      {"in a range", one_of({{0x20AC, 0x20AE}}), "\xE2\x82\xAE", true},
      {"just outside of a range", one_of({{0x20AC, 0x20AE}}), "\xE2\x82\xAF", false},
      {"across lengths", one_of({{0x7F, 0x10000}}), "\xF0\x90\x80\x80", true},
      {"across lengths, outside", one_of({{0x7F, 0x10000}}), "\xF0\x90\x80\x81", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(*matches(only(row.root), row.text) == row.fits);
    auto matcher = *Matcher::compile(only(row.root));
    bool all = true;
    for (const char byte : std::string_view(row.text)) {
      all = all && *matcher.accept(std::string_view(&byte, 1)) == 1;
    }
    CHECK((all && matcher.is_complete()) == row.fits);
  }
}

TEST_CASE("match: classes agree with a plain comparison for every code point near their ends") {
  const std::vector<CharRange> ranges = {{'a', 'z'},         {0x80, 0x7FF},       {0x801, 0xFFE},
                                         {0x1234, 0x5678},   {0xD000, 0xE100},    {0xFFFF, 0x10002},
                                         {0x3FFFF, 0x41001}, {0x10FFF0, 0x10FFFF}};
  for (const bool negated : {false, true}) {
    const auto compiled = Matcher::compile(only(negated ? none_of(ranges) : one_of(ranges)));
    REQUIRE(compiled.ok());
    int wrong = 0;
    const auto check = [&](char32_t at) {
      if ((at >= 0xD800 && at <= 0xDFFF) || at > 0x10FFFF) return;
      bool inside = negated;
      for (const CharRange& range : ranges) {
        if (at >= range.first && at <= range.last) inside = !negated;
      }
      std::string text;
      append_utf8(text, at);
      Matcher matcher = *compiled;
      if ((*matcher.accept(text) == text.size()) != inside) ++wrong;
    };
    for (const CharRange& range : ranges) {
      for (char32_t i = 0; i < 200; ++i) {
        if (range.first + i >= 100) check(range.first + i - 100);
        check(range.last + i - 100);
      }
    }
    for (char32_t at = 0; at <= 0x10FFFF; at += 61) check(at);
    CHECK(wrong == 0);
  }
}

TEST_CASE("match: a grammar that cannot be used is refused") {
  const Expr x = rule_ref("x");
  const Expr y = rule_ref("y");
  const Expr root = rule_ref("root");
  Expr deep = kA;
  for (int i = 0; i < 60; ++i) deep = sequence({kB, maybe(std::move(deep))});
  Expr crossed = repetition(kA, 2, 3);
  std::get<Repetition>(crossed.node).max = 1;
  const struct {
    const char* name;
    Gbnf grammar;
    const char* error;
  } rows[] = {
      {"no root", Gbnf{{Rule{"x", kA}}}, "there is no rule 'root'"},
      {"twice", Gbnf{{Rule{"root", kA}, Rule{"root", kB}}}, "rule 'root' is defined twice"},
      {"not defined", only(sequence({kA, x})), "rule 'root' refers to 'x', which is not defined"},
      {"deep", only(deep), "rule 'root' nests more than 100 deep"},
      {"crossed", only(crossed), "rule 'root' repeats 2 to 1 times; at most 1999 is possible"},
      {"left recursion", only(alternation({sequence({root, kA}), kB})),
       "left recursion: root -> root"},
      {"left recursion behind what may be empty",
       Gbnf{{Rule{"root", sequence({maybe(kA), x})}, Rule{"x", sequence({y, root, kB})},
             Rule{"y", alternation({kA, Expr{}})}}},
       "left recursion: x -> root -> x"},
      {"left recursion in a rule that is not used",
       Gbnf{{Rule{"root", kA}, Rule{"x", sequence({many(kB), x})}}}, "left recursion: x -> x"},
      {"endless nothing", only(sequence({kA, many(maybe(kB))})),
       "rule 'root' repeats an empty item without limit"},
      {"endless nothing by a rule",
       Gbnf{{Rule{"root", repetition(x, 3, std::nullopt)}, Rule{"x", many(kA)}}},
       "rule 'root' repeats an empty item without limit"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    const auto matcher = Matcher::compile(row.grammar);
    REQUIRE_FALSE(matcher.ok());
    CHECK(matcher.error().message == row.error);
  }
}

TEST_CASE("match: classes that are alike are not the same") {
  const Gbnf grammar = only(sequence({one_of({{'a', 'b'}}), none_of({{'a', 'b'}}),
                                      one_of({{0x41, 0x43}}), one_of({{0x10041, 0x10043}})}));
  CHECK(*matches(grammar, "acB\xF0\x90\x81\x82"));
  CHECK_FALSE(*matches(grammar, "aaB\xF0\x90\x81\x82"));
  CHECK_FALSE(*matches(grammar, "acBB"));
}

TEST_CASE("match: a class of many scattered code points") {
  std::vector<CharRange> ranges;
  for (char32_t at = 0x100; at + 40 < 0xD000; at += 37 + at % 11)
    ranges.push_back({at, at + at % 7});
  const auto compiled = Matcher::compile(only(one_of(ranges)));
  REQUIRE(compiled.ok());
  int wrong = 0;
  std::size_t range = 0;
  for (char32_t at = 0; at < 0xD000; ++at) {
    while (range < ranges.size() && ranges[range].last < at) ++range;
    const bool inside = range < ranges.size() && ranges[range].first <= at;
    std::string text;
    append_utf8(text, at);
    Matcher matcher = *compiled;
    const bool fits = *matcher.accept(text) == text.size() && matcher.is_complete();
    if (fits != inside) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("match: a large grammar with classes everywhere") {
  const Expr word = repetition(none_of({{'"', '"'}, {'\\', '\\'}}), 1, std::nullopt);
  Gbnf grammar{{Rule{"root", rule_ref("r0")}}};
  constexpr int kRules = 20'000;
  for (int i = 0; i < kRules; ++i) {
    std::vector<Expr> items = {literal("\"" + std::to_string(i)), one_of({{'a', 'f'}, {'x', 'z'}}),
                               word, literal("\""), repetition(one_of({{'0', '9'}}), 1, 5)};
    if (i + 1 < kRules) items.push_back(maybe(rule_ref("r" + std::to_string(i + 1))));
    grammar.rules.push_back(Rule{"r" + std::to_string(i), sequence(std::move(items))});
  }
  const auto compiled = Matcher::compile(grammar);
  REQUIRE(compiled.ok());
  Matcher matcher = *compiled;
  CHECK(*matcher.accept("\"0x\xC3\xA9\"12345\"1ab\"1\"3") == 18);
  CHECK_FALSE(matcher.is_complete());
  CHECK(*matcher.accept("2") == 1);
}

TEST_CASE("match: rules that may be empty because the one before may") {
  Gbnf grammar{{Rule{"r0", maybe(kA)}}};
  constexpr int kRules = 20'000;
  for (int i = 1; i < kRules; ++i) {
    grammar.rules.push_back(Rule{"r" + std::to_string(i), rule_ref("r" + std::to_string(i - 1))});
  }
  const Expr last = rule_ref("r" + std::to_string(kRules - 1));
  grammar.rules.push_back(Rule{"root", sequence({last, kB})});
  CHECK(*matches(grammar, "b"));
  CHECK(*matches(grammar, "ab"));
  grammar.rules.back().expr = many(last);
  CHECK(matches(grammar, "").error().message == "rule 'root' repeats an empty item without limit");
}

TEST_CASE("match: memory is bounded on long, deep and ambiguous texts") {
  SUBCASE("right recursion needs no stack") {
    auto matcher = *Matcher::compile(
        Gbnf{{Rule{"root", alternation({sequence({kA, rule_ref("root")}), kB})}}});
    CHECK(*matcher.accept(std::string(500'000, 'a') + "b") == 500'001);
    CHECK(matcher.is_complete());
  }
  SUBCASE("stacks that are done are forgotten") {
    const Expr inner = repetition(rule_ref("x"), 0, kMaxRepeats);
    auto matcher = *Matcher::compile(Gbnf{{
        Rule{"root", repetition(sequence({inner, kC}), 0, kMaxRepeats)},
        Rule{"x", sequence({kA, kB})},
    }});
    std::string text;
    for (int i = 0; i < 500; ++i) {
      for (int j = 0; j < 500; ++j) text += "ab";
      text += "c";
    }
    CHECK(*matcher.accept(text) == text.size());
    CHECK(matcher.is_complete());
  }
  SUBCASE("stacks that are not done are kept") {
    const Expr x = rule_ref("x");
    auto matcher = *Matcher::compile(Gbnf{{
        Rule{"root", x},
        Rule{"x", sequence({kA, repetition(x, 0, kMaxRepeats), kB})},
    }});
    std::string text;
    for (int depth = 0; depth < 20; ++depth) {
      text += "a";
      for (int i = 0; i < 700; ++i) text += "ab";
    }
    CHECK(*matcher.accept(text) == text.size());
    CHECK(*matcher.accept(std::string(21, 'b')) == 20);
    CHECK(matcher.is_complete());
  }
  SUBCASE("depth is limited, not the stack") {
    auto matcher = *Matcher::compile(
        Gbnf{{Rule{"root", alternation({sequence({kA, rule_ref("root"), kB}), kC})}}});
    const auto taken = matcher.accept(std::string(300'000, 'a'));
    REQUIRE_FALSE(taken.ok());
    CHECK(taken.error().message == "nested more than 200000 deep");
    CHECK(taken.error().kind == ErrorKind::kLimit);
  }
  SUBCASE("a chain of optional parts that doubles a server's stacks with each") {
    std::vector<Expr> chain;
    for (int i = 0; i < 60; ++i) chain.push_back(maybe(rule_ref("x")));
    auto matcher =
        *Matcher::compile(Gbnf{{Rule{"root", sequence(std::move(chain))}, Rule{"x", kA}}});
    CHECK(*matcher.accept(std::string(61, 'a')) == 60);
    CHECK(matcher.is_complete());
  }
  SUBCASE("too many places at once") {
    const Expr inner = repetition(maybe(kA), 0, 500);
    auto matcher = Matcher::compile(only(repetition(sequence({inner, maybe(kB)}), 0, 500)));
    REQUIRE_FALSE(matcher.ok());
    CHECK(matcher.error().message == "the grammar is too ambiguous here: more than 50000 places");
  }
}

}  // namespace pedro
