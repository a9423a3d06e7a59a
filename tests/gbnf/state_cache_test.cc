// Checks that the Matcher's state cache never changes results: with any size, any pieces, copies,
// and several threads.
#include "gbnf/state_cache.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "gbnf/match.h"
#include "gbnf/slow_matcher.h"
#include "gbnf/small_grammars.h"

namespace pedro {
namespace {

constexpr std::size_t kCacheSizes[] = {0, 20'000, Matcher::kCacheBytes};

class DeepGrammar {
 public:
  explicit DeepGrammar(unsigned seed) : random_(seed) {}

  Gbnf make() { return Gbnf{{Rule{"root", expr(4)}, Rule{"x", expr(3)}, Rule{"y", expr(3)}}}; }

  std::size_t below(std::size_t end) { return random_() % end; }

 private:
  Expr expr(int depth) {
    const std::size_t kind = below(depth > 0 ? 12 : 4);
    if (kind < 2)
      return literal(std::vector<const char*>{"a", "b", "c", "ab", "ba", "cc"}[below(6)]);
    if (kind == 2) return below(2) == 0 ? one_of({{'a', 'b'}}) : none_of({{'a', 'a'}, {'d', 'z'}});
    if (kind == 3) return rule_ref(std::vector<const char*>{"root", "x", "y"}[below(3)]);
    if (kind < 6) return alternation(exprs(depth));
    if (kind < 9) return sequence(exprs(depth));
    if (kind == 9) return maybe(expr(depth - 1));
    if (kind == 10) return repetition(expr(depth - 1), static_cast<int>(below(3)), std::nullopt);
    const int min = static_cast<int>(below(3));
    return repetition(expr(depth - 1), min, min + static_cast<int>(below(3)));
  }

  std::vector<Expr> exprs(int depth) {
    std::vector<Expr> out;
    for (std::size_t i = 2 + below(2); i > 0; --i) out.push_back(expr(depth - 1));
    return out;
  }

  std::minstd_rand random_;
};

struct Outcome {
  std::size_t taken = 0;
  bool complete = false;
  std::bitset<256> next;

  bool operator==(const Outcome&) const = default;
};

Outcome run(const Matcher& begin, const std::string& text) {
  Matcher matcher = begin;
  const std::size_t taken = *matcher.accept(text);
  return Outcome{taken, matcher.is_complete(), matcher.next_bytes()};
}

// Builds a text that the grammar accepts so far, from random acceptable letters.
std::string walk(Matcher matcher, DeepGrammar& random, std::size_t length) {
  std::string text;
  while (text.size() < length) {
    const std::bitset<256> next = matcher.next_bytes();
    std::vector<char> letters;
    for (const char letter : {'a', 'b', 'c', '(', ')'}) {
      if (next[static_cast<unsigned char>(letter)]) letters.push_back(letter);
    }
    if (letters.empty()) break;
    text.push_back(letters[random.below(letters.size())]);
    REQUIRE(*matcher.accept(text.substr(text.size() - 1)) == 1);
  }
  return text;
}

}  // namespace

TEST_CASE("state cache: random grammars agree with the slow matcher") {
  int used = 0;
  for (unsigned seed = 1; used < 150; ++seed) {
    CAPTURE(seed);
    const Gbnf grammar = DeepGrammar(seed).make();
    const auto small = Matcher::compile(grammar, 0);
    const auto large = Matcher::compile(grammar);
    REQUIRE(small.ok() == large.ok());
    if (!small.ok()) continue;  // left recursion
    ++used;
    int wrong = 0;
    for (const std::string& text : all_strings("abc", 5)) {
      const Outcome result = run(*large, text);
      const bool fits = result.taken == text.size() && result.complete;
      if (fits != SlowMatcher(grammar, text).matches()) ++wrong;
      if (result != run(*small, text)) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("state cache: neither pieces nor copies nor a full cache make a difference") {
  DeepGrammar random(7);
  for (const NamedGrammar& row : small_grammars()) {
    CAPTURE(row.name);
    const auto plain = Matcher::compile(row.grammar);
    REQUIRE(plain.ok());
    for (const std::size_t cache_bytes : kCacheSizes) {
      CAPTURE(cache_bytes);
      const auto begin = Matcher::compile(row.grammar, cache_bytes);
      REQUIRE(begin.ok());
      // Each matcher with its accepted text. A step picks one, sometimes copies it, and continues
      // it.
      std::vector<std::pair<Matcher, std::string>> all = {{*begin, ""}};
      for (int step = 0; step < 60; ++step) {
        const std::size_t at = random.below(all.size());
        if (random.below(3) == 0) all.push_back(all[at]);
        auto& [matcher, text] = all[at];
        std::string piece = walk(matcher, random, random.below(6));
        if (random.below(4) == 0) piece += "ca";
        const Outcome expected = run(*plain, text + piece);
        const std::size_t taken = *matcher.accept(piece);
        CHECK(text.size() + taken == expected.taken);
        CHECK(matcher.is_complete() == expected.complete);
        CHECK(matcher.next_bytes() == expected.next);
        text += piece.substr(0, taken);
      }
    }
  }
}

TEST_CASE("state cache: is full after about its size") {
  const auto program = compile_program(only(repetition(literal("a"), 0, kMaxRepeats)));
  REQUIRE(program.ok());
  StateCache cache(*program, 100'000);
  Result<State*> at = cache.begin();  // one state for each number of letters
  int states = 0;
  while (states < kMaxRepeats && !cache.is_full()) {
    REQUIRE((*at)->kind == State::Kind::kPop);
    std::size_t height = 0;
    at = cache.pop(**at, {}, height);
    at = cache.after(**at, 'a');
    ++states;
  }
  CHECK(states > 20);
  CHECK(states < 1000);
}

TEST_CASE("state cache: copies in different threads") {
  const Expr root = rule_ref("root");
  const Gbnf grammar{{
      Rule{"root", alternation({sequence({one_of({{'a', 'b'}}), root, literal(")")}),
                                repetition(literal("c"), 1, 9)})},
  }};
  for (const std::size_t cache_bytes : kCacheSizes) {
    const Matcher begin = *Matcher::compile(grammar, cache_bytes);
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      threads.emplace_back([&, i] {
        for (std::size_t depth = i; depth < 100; depth += 3) {
          Matcher matcher = begin;
          const std::string open = std::string(depth, 'a') + std::string(depth % 9 + 1, 'c');
          if (*matcher.accept(open) != open.size()) ++wrong[i];
          Matcher copy = matcher;
          if (*copy.accept(std::string(depth + 1, ')')) != depth) ++wrong[i];
          if (!copy.is_complete() || (depth > 0 && matcher.is_complete())) ++wrong[i];
          if (depth % 9 == 8 && depth > 0 && matcher.forced() != std::string(depth, ')')) {
            ++wrong[i];
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(4, 0));
  }
}

// Cases in which moving all stacks for each byte would take quadratic time.
TEST_CASE("state cache: deep stacks that have little in common") {
  const Expr x = rule_ref("x");
  const Expr y = rule_ref("y");
  const Expr z = rule_ref("z");
  const Expr a = literal("a");
  const Expr b = literal("b");
  const Expr c = literal("c");
  const Expr open = literal("(");
  const Expr close = literal(")");
  constexpr std::size_t kDeep = 8'000;
  const std::string opens(kDeep, '(');
  const std::string closes(kDeep, ')');
  const struct {
    const char* name;
    Gbnf grammar;
    std::string text;
  } rows[] = {
      {"two stacks",
       Gbnf{{Rule{"root", alternation({sequence({x, a}), sequence({y, b})})},
             Rule{"x", alternation({sequence({open, x, close}), c})},
             Rule{"y", alternation({sequence({open, y, close}), c})}}},
       opens + "c" + closes + "b"},
      {"one goes down to the base at each byte",
       Gbnf{{Rule{"root", alternation({sequence({x, a}), sequence({y, b})})},
             Rule{"x", alternation({sequence({open, x, close}), c})},
             Rule{"y", repetition(open, 0, std::nullopt)}}},
       opens + "c" + closes + "a"},
      {"one goes down to the base at every other byte",
       Gbnf{{Rule{"root", sequence({z, a})}, Rule{"z", sequence({alternation({x, y}), maybe(b)})},
             Rule{"x", alternation({sequence({open, x, close}), c})},
             Rule{"y", repetition(literal("(("), 0, std::nullopt)}}},
       opens + "c" + closes + "ba"},
      {"one goes down a high base while another is high above it",
       Gbnf{{Rule{"root", alternation({sequence({a, rule_ref("root"), close}), z})},
             Rule{"z", alternation({sequence({x, b}), y})},
             Rule{"x", alternation({sequence({open, x, literal("]")}),
                                    repetition(close, 0, std::nullopt)})},
             Rule{"y", repetition(open, 0, std::nullopt)}}},
       std::string(kDeep, 'a') + opens + closes},
      {"all levels may end at once",
       Gbnf{{Rule{"root", alternation({sequence({open, rule_ref("root"), maybe(b)}), c})}}},
       opens + "c" + "bbbb"},
  };
  for (const auto& row : rows) {
    for (const std::size_t cache_bytes : kCacheSizes) {
      CAPTURE(row.name);
      CAPTURE(cache_bytes);
      Matcher matcher = *Matcher::compile(row.grammar, cache_bytes);
      const auto taken = matcher.accept(row.text);
      REQUIRE(taken.ok());
      CHECK(*taken == row.text.size());
      CHECK(matcher.is_complete());
    }
  }
}

TEST_CASE("state cache: two stacks that are too deep are an error") {
  constexpr std::size_t kCalls = 50;  // the number of calls that a byte opens
  Gbnf grammar{{Rule{"root", alternation({sequence({rule_ref("x0"), literal("a")}),
                                          sequence({rule_ref("y0"), literal("b")})})}}};
  for (const std::string name : {"x", "y"}) {
    for (std::size_t i = 0; i < kCalls; ++i) {
      const Expr next = rule_ref(name + std::to_string((i + 1) % kCalls));
      const Expr close = literal(")");
      grammar.rules.push_back(
          Rule{name + std::to_string(i),
               i > 0 ? sequence({next, close})
                     : alternation({sequence({literal("("), next, close}), literal("c")})});
    }
  }
  Matcher matcher = *Matcher::compile(grammar);
  const auto taken = matcher.accept(std::string(210'000 / kCalls, '('));
  REQUIRE_FALSE(taken.ok());
  CHECK(taken.error().message == "nested more than 200000 deep");
  Matcher less = *Matcher::compile(grammar);
  CHECK(*less.accept(std::string(190'000 / kCalls, '(')) == 190'000 / kCalls);
}

TEST_CASE("state cache: stays small on texts that never return to a state") {
  const Expr a = literal("a");
  const Expr b = literal("b");
  const Gbnf grammar{{
      Rule{"root", repetition(sequence({rule_ref("x"), b}), 0, std::nullopt)},
      Rule{"x", repetition(repetition(maybe(a), 0, 40), 1, 40)},
  }};
  auto matcher = Matcher::compile(grammar, 100'000);
  REQUIRE(matcher.ok());
  std::string text;
  for (int i = 0; i < 20; ++i) text += std::string(static_cast<std::size_t>(i * 7), 'a') + "b";
  CHECK(*matcher->accept(text) == text.size());
  CHECK(matcher->is_complete());
}

}  // namespace pedro
