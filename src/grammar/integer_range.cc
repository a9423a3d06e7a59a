#include "grammar/integer_range.h"

#include <cassert>
#include <string>
#include <utility>
#include <vector>

namespace pedro {
namespace {

Expr digits_between(char first, char last) {
  if (first == last) return literal(std::string(1, first));
  return one_of({CharRange{static_cast<char32_t>(first), static_cast<char32_t>(last)}});
}

Expr any_digits(std::size_t min, std::size_t max) {
  return repetition(digits_between('0', '9'), static_cast<int>(min), static_cast<int>(max));
}

// The digit strings from `low` to `high`, which have the same length: the strings that begin with
// low's first digit, those that begin with one in between (anything may follow), and those that
// begin with high's. Depth: one level per digit.
Expr same_length(std::string_view low, std::string_view high) {
  const std::size_t rest = low.size() - 1;
  if (rest == 0) return digits_between(low[0], high[0]);
  if (low[0] == high[0]) {
    return sequence({literal(low.substr(0, 1)), same_length(low.substr(1), high.substr(1))});
  }
  const std::string zeros(rest, '0');
  const std::string nines(rest, '9');
  char from = low[0];
  char to = high[0];
  std::vector<Expr> options;
  if (low.substr(1) != zeros) {
    options.push_back(sequence({literal(low.substr(0, 1)), same_length(low.substr(1), nines)}));
    ++from;
  }
  const bool high_is_whole = high.substr(1) == nines;
  if (!high_is_whole) --to;
  if (from <= to) options.push_back(sequence({digits_between(from, to), any_digits(rest, rest)}));
  if (!high_is_whole) {
    options.push_back(sequence({literal(high.substr(0, 1)), same_length(zeros, high.substr(1))}));
  }
  return alternation(std::move(options));
}

std::string smallest(std::size_t length) {
  return "1" + std::string(length - 1, '0');
}

// 1 <= low <= high. Lengths that are covered from 10…0 to 9…9 become one option.
Expr positive_range(unsigned long long low, unsigned long long high) {
  const std::string first = std::to_string(low);
  const std::string last = std::to_string(high);
  if (first.size() == last.size()) return same_length(first, last);
  std::size_t whole_from = first.size();
  std::size_t whole_to = last.size();
  std::vector<Expr> options;
  if (first != smallest(first.size())) {
    options.push_back(same_length(first, std::string(first.size(), '9')));
    ++whole_from;
  }
  const bool last_is_whole = last == std::string(last.size(), '9');
  if (!last_is_whole) --whole_to;
  if (whole_from <= whole_to) {
    options.push_back(
        sequence({digits_between('1', '9'), any_digits(whole_from - 1, whole_to - 1)}));
  }
  if (!last_is_whole) options.push_back(same_length(smallest(last.size()), last));
  return alternation(std::move(options));
}

unsigned long long magnitude(long long value) {
  const auto bits = static_cast<unsigned long long>(value);
  return value < 0 ? 0 - bits : bits;
}

}  // namespace

Expr integer_range(long long low, long long high) {
  assert(low <= high);
  std::vector<Expr> options;
  if (low < 0) {
    const long long nearest = high < 0 ? high : -1;
    options.push_back(sequence({literal("-"), positive_range(magnitude(nearest), magnitude(low))}));
  }
  if (low <= 0 && high >= 0) options.push_back(literal("0"));
  if (high > 0) {
    options.push_back(positive_range(low > 0 ? magnitude(low) : 1, magnitude(high)));
  }
  return alternation(std::move(options));
}

}  // namespace pedro
