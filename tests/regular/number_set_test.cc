#include "regular/number_set.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/json.h"

namespace pedro {
namespace {

NumberBound bound(const char* text, bool exclusive = false) {
  return {*parse_decimal(text), exclusive};
}

// Integers and fractions around zero and around the bounds, as JSON texts.
std::vector<std::string> small_numbers() {
  std::vector<std::string> texts;
  for (int n = -130; n <= 130; ++n) {
    texts.push_back(std::to_string(n));
    for (const char* fraction : {"0", "1", "25", "5", "50", "749", "75", "99"}) {
      texts.push_back(std::to_string(n) + "." + fraction);
    }
    if (n == 0) texts.insert(texts.end(), {"-0", "-0.0", "-0.5", "-0.25", "-0.749"});
  }
  return texts;
}

}  // namespace

TEST_CASE("decimal: numbers are read exactly") {
  struct Row {
    const char* text;
    const char* shown;
  };
  for (const Row& row : {
           Row{"0", "0"},
           Row{"-0", "0"},
           Row{"-0.50", "-0.5"},
           Row{"1e3", "1000"},
           Row{"1.25E-3", "0.00125"},
           Row{"12.5e1", "125"},
           Row{"100", "100"},
           Row{"0.1e1", "1"},
           Row{"5e-1", "0.5"},
           Row{"1e+2", "100"},
       }) {
    CAPTURE(row.text);
    const auto value = parse_decimal(row.text);
    REQUIRE(value);
    CHECK(to_string(*value) == row.shown);
  }
  for (const char* text : {"", "-", "x", "1e99", "1e-99", "1e", "1ex", ".5x", "1e999999999999"}) {
    CHECK_FALSE(parse_decimal(text));
  }
  CHECK(compare(*parse_decimal("-2"), *parse_decimal("-10")) > 0);
  CHECK(compare(*parse_decimal("9.9"), *parse_decimal("10")) < 0);
  CHECK(compare(*parse_decimal("1.5"), *parse_decimal("1.50")) == 0);
  CHECK(compare(*parse_decimal("-0.1"), *parse_decimal("0.1")) < 0);
}

TEST_CASE("number_set: holds the numbers within its limits, and no others") {
  const char* values[] = {"-100",  "-99.5", "-12", "-1", "-0.25", "0",      "0.5",
                          "0.749", "1",     "7",   "10", "99",    "100.75", "123"};
  const std::vector<std::string> texts = small_numbers();
  for (const bool integer : {false, true}) {
    for (const char* low : values) {
      for (const char* high : values) {
        for (const bool exclusive : {false, true}) {
          if (compare(*parse_decimal(low), *parse_decimal(high)) > 0) continue;
          NumberLimits limits{integer, bound(low, exclusive), bound(high, exclusive), {}};
          const auto set = number_set(limits);
          REQUIRE(set.ok());
          const double least = std::stod(low);
          const double most = std::stod(high);
          std::string wrong;
          for (const std::string& text : texts) {
            const double value = std::stod(text);
            const bool whole = text.find('.') == std::string::npos && text != "-0";
            const bool inside =
                exclusive ? value > least && value < most : value >= least && value <= most;
            if (set->contains(text) != (inside && (whole || !integer))) wrong += text + " ";
          }
          CAPTURE(low);
          CAPTURE(high);
          CAPTURE(integer);
          CAPTURE(exclusive);
          CHECK(wrong == "");
        }
      }
    }
  }
}

TEST_CASE("number_set: one bound alone, and exponents that are certainly inside") {
  const auto positive = number_set({false, bound("0", true), {}, {}});
  REQUIRE(positive.ok());
  for (const char* text : {"0.1", "1", "1e5", "1.5E+10", "2e-07", "9007199254740993"}) {
    CHECK_MESSAGE(positive->contains(text), text);
  }
  for (const char* text : {"0", "-1", "-1e5", "0.0", "1e", "01", "0e1"}) {
    CHECK_MESSAGE(!positive->contains(text), text);
  }
  const auto small = number_set({false, bound("0.5"), bound("2"), {}});
  REQUIRE(small.ok());
  CHECK_FALSE(small->contains("1e-1"));
  CHECK_FALSE(small->contains("1e1"));
  const auto big = number_set({true, bound("12345678901234567890"), {}, {}});
  REQUIRE(big.ok());
  CHECK(big->contains("12345678901234567891"));
  CHECK_FALSE(big->contains("12345678901234567889"));
}

TEST_CASE("number_set: multiples") {
  struct Row {
    const char* divisor;
    long long hundredths;
  };
  const std::vector<std::string> texts = small_numbers();
  for (const Row& row : {Row{"1", 100}, Row{"5", 500}, Row{"7", 700}, Row{"0.5", 50},
                         Row{"0.25", 25}, Row{"0.01", 1}, Row{"2.5", 250}, Row{"12", 1200}}) {
    CAPTURE(row.divisor);
    const auto set = number_set({false, {}, {}, {*parse_decimal(row.divisor)}});
    REQUIRE(set.ok());
    std::string wrong;
    for (const std::string& text : texts) {
      const double thousandths = std::round(std::stod(text) * 1000);
      const bool fits = std::fmod(thousandths, static_cast<double>(row.hundredths * 10)) == 0;
      if (set->contains(text) != fits) wrong += text + " ";
    }
    CHECK(wrong == "");
  }
  CHECK_FALSE(number_set({true, {}, {}, {*parse_decimal("123457")}}).ok());
  const auto several = [](const char* one, const char* other) {
    return number_set({true, {}, {}, {*parse_decimal(one), *parse_decimal(other)}});
  };
  CHECK(several("13", "3").ok());
  REQUIRE_FALSE(several("29", "3").ok());
  CHECK(several("29", "3").error().message == "multiples that need more than 1000 states");
}

}  // namespace pedro
