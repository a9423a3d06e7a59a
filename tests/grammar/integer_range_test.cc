#include "grammar/integer_range.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "grammar/match.h"

namespace pedro {
namespace {

Matcher matcher_of(long long low, long long high) {
  auto matcher = Matcher::compile(Gbnf{{Rule{"root", integer_range(low, high)}}});
  REQUIRE(matcher.ok());
  return *matcher;
}

bool takes(Matcher matcher, const std::string& text) {
  const auto taken = matcher.accept(text);
  return taken.ok() && *taken == text.size() && matcher.is_complete();
}

}  // namespace

TEST_CASE("integer range: exact for every number from -1300 to 1300") {
  std::vector<std::string> texts;
  for (int n = -1300; n <= 1300; ++n) texts.push_back(std::to_string(n));
  const int ends[] = {-1200, -1000, -999, -345, -100, -99, -11, -10, -9,  -1,  0,    1,   2,
                      9,     10,    12,   19,   55,   99,  100, 109, 789, 999, 1001, 1200};
  int wrong = 0;
  for (const int low : ends) {
    for (const int high : ends) {
      if (low > high) continue;
      const Matcher matcher = matcher_of(low, high);
      for (int n = -1300; n <= 1300; ++n) {
        if (takes(matcher, texts[n + 1300]) == (n >= low && n <= high)) continue;
        ++wrong;
        MESSAGE(low, "..", high, ": ", n);
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("integer range: no leading zero, no minus zero, nothing that is not a number") {
  const Matcher matcher = matcher_of(-200, 200);
  for (const char* text :
       {"00", "01", "-0", "-00", "-01", "+1", "1.0", "1e1", "", "-", " 1", "1 "}) {
    CAPTURE(text);
    CHECK_FALSE(takes(matcher, text));
  }
}

TEST_CASE("integer range: the ends of 64 bits") {
  using Limits = std::numeric_limits<long long>;
  const Matcher all = matcher_of(Limits::min(), Limits::max());
  CHECK(takes(all, "-9223372036854775808"));
  CHECK_FALSE(takes(all, "-9223372036854775809"));
  CHECK(takes(all, "9223372036854775807"));
  CHECK_FALSE(takes(all, "9223372036854775808"));
  CHECK(takes(matcher_of(Limits::min(), Limits::min()), "-9223372036854775808"));
}

TEST_CASE("integer range: goldens") {
  struct Row {
    long long low;
    long long high;
    const char* text;
  };
  for (const Row& row : {
           Row{0, 0, R"("0")"},
           Row{0, 9, R"("0" | [1-9])"},
           Row{1, 2000, R"([1-9] [0-9]{0,2} | "1" [0-9]{3} | "2000")"},
           Row{0, 9'999'999'999'999'999, R"("0" | [1-9] [0-9]{0,15})"},
           Row{-5, 12, R"("-" [1-5] | "0" | [1-9] | "1" [0-2])"},
           Row{345, 345, R"("345")"},
       }) {
    CHECK(print(integer_range(row.low, row.high)) == row.text);
  }
}

}  // namespace pedro
