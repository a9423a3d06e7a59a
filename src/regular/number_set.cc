#include "regular/number_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <tuple>

#include "regular/minimal_states.h"
#include "regular/pattern_set.h"

namespace pedro {
namespace {

/// A range of unsigned integers, both ends included.
struct Interval {
  std::string min;
  std::string max;
};

std::string one_more(std::string digits) {
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    if (*digit != '9') return ++*digit, digits;
    *digit = '0';
  }
  return "1" + digits;
}

// Requires a number above zero.
std::string one_less(std::string digits) {
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    if (*digit != '0') {
      --*digit;
      break;
    }
    *digit = '9';
  }
  return digits.size() > 1 && digits[0] == '0' ? digits.substr(1) : digits;
}

bool is_zero(const NumberBound& bound) {
  return bound.value == Decimal();
}

// Returns the magnitudes of the integers of one sign; nullopt if there are none. `near` bounds the
// magnitude from below, `far` from above.
std::optional<Interval> integers(const std::optional<NumberBound>& near,
                                 const std::optional<NumberBound>& far, bool negative,
                                 std::size_t digits) {
  Interval all{negative ? "1" : "0", std::string(digits, '9')};
  if (near && (is_zero(*near) || near->value.negative == negative)) {
    const bool more = near->exclusive || !near->value.fraction.empty();
    const std::string& whole = near->value.whole;
    if (more || whole != "0") all.min = more ? one_more(whole) : whole;
  }
  if (!far) return all;
  if (!is_zero(*far) && far->value.negative != negative) return std::nullopt;
  const bool less = far->exclusive && far->value.fraction.empty();
  if (less && far->value.whole == "0") return std::nullopt;
  all.max = less ? one_less(far->value.whole) : far->value.whole;
  return all;
}

/// The relevant state of the digits read so far. This is their count, and their comparison with the
/// same number of leading digits of each end. Less is -1, equal 0, greater 1.
struct Read {
  std::size_t count = 0;
  int to_min = 0;
  int to_max = 0;
  auto operator<=>(const Read&) const = default;  // NOLINT(modernize-use-nullptr)
};

int compared(int before, const std::string& digits, std::size_t at, char digit) {
  if (at >= digits.size()) return 1;
  return before != 0 ? before : (digit > digits[at]) - (digit < digits[at]);
}

/// Adds the automaton of an interval to existing states. Minimization removes dead ends.
class IntervalStates {
 public:
  IntervalStates(const Interval& interval, std::vector<TextSet::State>& states)
      : interval_(interval), states_(states) {}

  // Reads the digits from `start`, which must not have arcs for digits yet.
  void add_from(std::uint32_t start) {
    std::vector<std::pair<Read, std::uint32_t>> todo{{Read(), start}};
    for (std::size_t done = 0; done < todo.size(); ++done) {
      const auto [read, state] = todo[done];
      for (char digit = '0'; digit <= '9'; ++digit) {
        const Read next{read.count + 1, compared(read.to_min, interval_.min, read.count, digit),
                        compared(read.to_max, interval_.max, read.count, digit)};
        if (next.count > interval_.max.size()) break;
        const bool zero = read.count == 0 && digit == '0';
        if (zero && interval_.min != "0") continue;
        const auto [known, fresh] =
            ids_.try_emplace({zero, next}, static_cast<std::uint32_t>(states_.size()));
        if (fresh) states_.emplace_back().accepting = zero || is_inside(next);
        if (fresh && !zero) todo.emplace_back(next, known->second);
        const auto code = static_cast<char32_t>(digit);
        append_arc(states_[state].arcs, {code, code, known->second});
      }
    }
  }

 private:
  bool is_inside(const Read& read) const {
    return (read.count > interval_.min.size() ||
            (read.count == interval_.min.size() && read.to_min >= 0)) &&
           (read.count < interval_.max.size() || read.to_max <= 0);
  }

  const Interval& interval_;
  std::vector<TextSet::State>& states_;
  std::map<std::pair<bool, Read>, std::uint32_t> ids_;
};

// The decimal texts of the integers within the bounds, without fraction or exponent. Zero is never
// negative, and there are no unnecessary leading zeros. Without a bound, integers have at most
// `digits` digits.
Result<TextSet> integer_set(const std::optional<NumberBound>& lower,
                            const std::optional<NumberBound>& upper, std::size_t digits) {
  std::vector<TextSet::State> states(1);
  if (const auto below = integers(upper, lower, true, digits)) {
    states.emplace_back();
    states[0].arcs.push_back({'-', '-', 1});
    IntervalStates(*below, states).add_from(1);
  }
  if (const auto above = integers(lower, upper, false, digits)) {
    IntervalStates(*above, states).add_from(0);
  }
  return TextSet::from_states(states);
}

constexpr std::size_t kWholeDigits = 16;
constexpr long long kMaxModulus = 1000;
constexpr std::size_t kMaxMultipleStates = 1000;

const char* const kFraction = "(\\.\\d{1,20})?";

// Returns "[d-9]", or "" if no digit is greater than `digit`.
std::string above(char digit) {
  return digit == '9' ? "" : fmt::format("[{}-9]", static_cast<char>(digit + 1));
}

// Returns a pattern of unsigned numbers greater than `value`, or equal with `or_equal`.
std::string greater(const Decimal& value, bool or_equal) {
  const std::string& whole = value.whole;
  std::string pattern = fmt::format("[1-9]\\d{{{},}}{}", whole.size(), kFraction);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::string digit = above(whole[i]);
    if (digit.empty()) continue;
    pattern +=
        fmt::format("|{}{}\\d{{{}}}{}", whole.substr(0, i), digit, whole.size() - i - 1, kFraction);
  }
  for (std::size_t i = 0; i < value.fraction.size(); ++i) {
    const std::string digit = above(value.fraction[i]);
    if (digit.empty()) continue;
    pattern += fmt::format("|{}\\.{}{}\\d*", whole, value.fraction.substr(0, i), digit);
  }
  const char* more = or_equal ? "\\d*" : "\\d*[1-9]\\d*";
  if (value.fraction.empty()) {
    return pattern + "|" + whole + (or_equal ? "(\\.\\d+)?" : std::string("\\.") + more);
  }
  return pattern + fmt::format("|{}\\.{}{}", whole, value.fraction, more);
}

Result<TextSet> whole_pattern(const std::string& pattern) {
  return pattern_set("^(" + pattern + ")$");
}

/// Builds the set of a signed range from its parts.
class RangeBuilder {
 public:
  explicit RangeBuilder(const NumberLimits& limits) : limits_(limits) {}

  Result<TextSet> build() {
    std::size_t digits = kWholeDigits;
    for (const auto& bound : {limits_.lower, limits_.upper}) {
      if (bound) digits = std::max(digits, bound->value.whole.size());
    }
    if (limits_.integer) return integer_set(limits_.lower, limits_.upper, digits);
    const std::string all = fmt::format("(0|[1-9]\\d{{0,{}}}){}", digits - 1, kFraction);
    PEDRO_TRY(const TextSet plus, side(all, false));
    PEDRO_TRY(const TextSet minus, side(all, true));
    if (minus.is_empty()) return plus;
    PEDRO_TRY(const TextSet sign, TextSet::of({"-"}));
    PEDRO_TRY(const TextSet negative, concatenation(sign, minus));
    return union_of(plus, negative);
  }

 private:
  // Returns the unsigned texts of one sign's numbers within the bounds.
  Result<TextSet> side(const std::string& pattern, bool negative) const {
    // `near` bounds the magnitude from below, `far` from above.
    const auto& far = negative ? limits_.lower : limits_.upper;
    const auto& near = negative ? limits_.upper : limits_.lower;
    if (far && !outward(*far, negative)) return TextSet();
    Result<TextSet> set = whole_pattern(pattern);
    if (!set) return set;
    if (near && outward(*near, negative)) {
      PEDRO_TRY(const TextSet reached, whole_pattern(greater(near->value, !near->exclusive)));
      set = intersection(*set, reached);
      if (!set) return set;
    }
    if (!far) return set;
    PEDRO_TRY(const TextSet beyond, whole_pattern(greater(far->value, far->exclusive)));
    return difference(*set, beyond);
  }

  // Returns true if the bound is on that side of zero; zero is on both.
  static bool outward(const NumberBound& bound, bool negative) {
    return is_zero(bound) || bound.value.negative == negative;
  }

  static bool is_zero(const NumberBound& bound) { return bound.value == Decimal(); }

  const NumberLimits& limits_;
};

long long to_integer(const std::string& digits) {
  long long value = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return end.ec == std::errc() ? value : -1;
}

// Reads digits and keeps the remainder. State 0 is the start, the others are 1 + remainder *
// (places + 2) + column. Column 0 is before the point; column n + 1 is after n digits of the
// fraction.
Result<TextSet> multiples_set(const Decimal& divisor) {
  const auto places = static_cast<long long>(divisor.fraction.size());
  const long long modulus = to_integer(divisor.whole + divisor.fraction);
  if (modulus <= 0 || modulus > kMaxModulus) {
    return Error{ErrorKind::kLimit, "multiples of more than 1000 steps"};
  }
  const long long columns = places + 2;
  const auto state_of = [&](long long remainder, long long column) {
    return static_cast<std::uint32_t>(1 + remainder * columns + column);
  };
  std::vector<TextSet::State> states(static_cast<std::size_t>(1 + modulus * columns));
  for (long long remainder = 0; remainder < modulus; ++remainder) {
    for (long long column = 0; column < columns; ++column) {
      TextSet::State& state = states[state_of(remainder, column)];
      long long rest = remainder;
      for (long long place = std::max(0LL, column - 1); place < places; ++place) {
        rest = rest * 10 % modulus;
      }
      state.accepting = rest == 0;
      if (column == 0) state.arcs.push_back({'.', '.', state_of(remainder, 1)});
      const bool full = column == places + 1;
      for (char32_t digit = '0'; digit <= (full ? '0' : '9'); ++digit) {
        const long long next =
            full ? remainder : (remainder * 10 + static_cast<long long>(digit - '0')) % modulus;
        const long long next_column = column == 0 || full ? column : column + 1;
        state.arcs.push_back({digit, digit, state_of(next, next_column)});
      }
    }
  }
  states[0] = states[state_of(0, 0)];
  states[0].accepting = false;
  states[0].arcs.erase(states[0].arcs.begin());  // no point before a digit
  states[0].arcs.insert(states[0].arcs.begin(), {'-', '-', state_of(0, 0)});
  return TextSet::from_states(states);
}

bool at_most(const std::optional<NumberBound>& lower, const char* value) {
  return !lower || compare(lower->value, *parse_decimal(value)) <= 0;
}
bool at_least(const std::optional<NumberBound>& upper, const char* value) {
  return !upper || compare(upper->value, *parse_decimal(value)) >= 0;
}

// Mantissas are in [1, 10). A negative exponent gives a number in (0, 1), a positive one a number
// of 10 or more. Likewise below zero.
std::string exponents(const NumberLimits& limits) {
  // Limits exponents to 299, because higher ones may exceed the range of a double.
  const char* kBelowOne = "-0?([12]\\d\\d|[1-9]\\d?)";
  const char* kTenOrMore = "\\+?0?([12]\\d\\d|[1-9]\\d?)";
  const std::string mantissa = std::string("[1-9]") + kFraction + "[eE]";
  std::string pattern;
  const auto add = [&](bool inside, const char* sign, const char* exponent) {
    if (!inside) return;
    pattern += (pattern.empty() ? "" : "|") + (sign + mantissa) + exponent;
  };
  add(at_most(limits.lower, "0") && at_least(limits.upper, "1"), "", kBelowOne);
  add(at_most(limits.lower, "10") && !limits.upper, "", kTenOrMore);
  add(at_most(limits.lower, "-1") && at_least(limits.upper, "0"), "-", kBelowOne);
  add(!limits.lower && at_least(limits.upper, "-10"), "-", kTenOrMore);
  return pattern;
}

// Returns a pattern with one digit before the point. Requires a value other than zero.
std::string scientific_form(const Decimal& value) {
  std::string digits = value.whole == "0" ? value.fraction : value.whole + value.fraction;
  const std::size_t zeros = digits.find_first_not_of('0');
  digits = digits.substr(zeros, digits.find_last_not_of('0') + 1 - zeros);
  const bool small = value.whole == "0";
  const std::string exponent =
      small ? fmt::format("-0?{}", zeros + 1) : fmt::format("\\+?0?{}", value.whole.size() - 1);
  const std::string fraction =
      digits.size() == 1 ? std::string("(\\.0+)?") : fmt::format("\\.{}0*", digits.substr(1));
  return fmt::format("{}{}{}[eE]{}", value.negative ? "-" : "", digits[0], fraction, exponent);
}

}  // namespace

Result<TextSet> forms_of_number(const Decimal& value) {
  const NumberBound bound{value, false};
  Result<TextSet> plain = RangeBuilder(NumberLimits{false, bound, bound, {}}).build();
  if (!plain || value == Decimal()) return plain;
  PEDRO_TRY(const TextSet scientific, whole_pattern(scientific_form(value)));
  return union_of(*plain, scientific);
}

Result<TextSet> number_set(const NumberLimits& limits) {
  Result<TextSet> set = RangeBuilder(limits).build();
  for (const Decimal& divisor : limits.multiples_of) {
    if (!set) return set;
    const Result<TextSet> multiples = multiples_set(divisor);
    if (!multiples) return multiples;
    set = intersection(*set, *multiples);
    if (set && set->states().size() > kMaxMultipleStates) {
      return Error{ErrorKind::kLimit, "multiples that need more than 1000 states"};
    }
  }
  if (!set || limits.integer || !limits.multiples_of.empty()) return set;
  const std::string pattern = exponents(limits);
  if (pattern.empty()) return set;
  PEDRO_TRY(const TextSet scientific, whole_pattern(pattern));
  set = union_of(*set, scientific);
  for (const auto& bound : {limits.lower, limits.upper}) {
    if (!set || !bound || !bound->exclusive) continue;
    PEDRO_TRY(const TextSet end, forms_of_number(bound->value));
    set = difference(*set, end);
  }
  return set;
}

}  // namespace pedro
