#include "regular/integer_set.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "regular/minimal_states.h"

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

/// The relevant state of the digits read so far: their count, and their comparison with the same
/// number of leading digits of each end. Less is -1, equal 0, greater 1.
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

}  // namespace

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

}  // namespace pedro
