#include "schema_to_gbnf/instance_maker.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr int kEndless = 1'000'000;

}  // namespace

std::string InstanceMaker::text(std::size_t min, std::size_t max) {
  static const std::vector<std::string> letters = {
      "a", "Z", " ", "\"", "\\", "\n", "\x01", "/", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  const std::size_t length =
      min +
      static_cast<std::size_t>(pick(static_cast<int>(std::min<std::size_t>(max - min, 5)) + 1));
  std::string out;
  for (std::size_t i = 0; i < length; ++i) out += letters[pick(static_cast<int>(letters.size()))];
  return out;
}

Json InstanceMaker::any_value() {
  switch (pick(9)) {
    case 0:
      return pick(41) - 20;
    case 1:
      return pick(9) / 8.0 + 0.0625;
    case 2:
      return text(0, 9);
    case 3:
      return Json::array();
    case 4:
      return Json::object();
    case 5:
      return Json::array({pick(3)});
    case 6:
      return pick(2) == 0;
    case 7:
      return Json{{"a", pick(3)}};
    default:
      return nullptr;
  }
}

Json InstanceMaker::changed(Json value) {
  if (!value.is_structured() || value.empty() || pick(4) == 0) return any_value();
  auto part = value.begin();
  for (int steps = pick(static_cast<int>(value.size())); steps > 0; --steps) ++part;
  switch (pick(4)) {
    case 0:
      value.erase(part);
      break;
    case 1:
      if (value.is_array()) {
        value.insert(part, any_value());
      } else {
        value["extra"] = any_value();
      }
      break;
    default:
      *part = changed(*part);
  }
  return value;
}

std::string InstanceMaker::written(const Json& value) {
  if (!value.is_structured()) return to_line(value);
  std::string out;
  for (const auto& [name, part] : value.items()) {
    if (!out.empty()) out += pick(2) == 0 ? "," : ", ";
    if (value.is_object()) out += to_line(Json(name)) + (pick(2) == 0 ? ":" : ": ");
    out += written(part);
  }
  return value.is_object() ? "{" + out + "}" : "[" + out + "]";
}

std::string InstanceMaker::derived(const Gbnf& grammar) {
  return derived_within(grammar, std::numeric_limits<std::size_t>::max()).value();
}

std::optional<std::string> InstanceMaker::derived_within(const Gbnf& grammar,
                                                         std::size_t max_steps) {
  measure(grammar);
  if (heights_.at("root") >= kEndless) return std::nullopt;
  std::string out;
  steps_left_ = max_steps;
  derive(*rules_.at("root"), 0, out);
  if (steps_left_ == 0) return std::nullopt;
  return out;
}

// Computes the nesting of rules in the lowest derivation of each rule, as a fixed point.
void InstanceMaker::measure(const Gbnf& grammar) {
  rules_.clear();
  heights_.clear();
  for (const Rule& rule : grammar.rules) {
    rules_[rule.name] = &rule.expr;
    heights_[rule.name] = kEndless;
  }
  for (bool lower = true; lower;) {
    lower = false;
    for (const Rule& rule : grammar.rules) {
      const int height = height_of(rule.expr);
      if (height >= heights_[rule.name]) continue;
      heights_[rule.name] = height;
      lower = true;
    }
  }
}

int InstanceMaker::height_of(const Expr& expr) const {
  if (const auto* list = std::get_if<Sequence>(&expr.node)) {
    int height = 0;
    for (const Expr& item : list->items) height = std::max(height, height_of(item));
    return height;
  }
  if (const auto* choice = std::get_if<Alternation>(&expr.node)) {
    int height = kEndless;
    for (const Expr& option : choice->options) height = std::min(height, height_of(option));
    return height;
  }
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    return repeat->min == 0 ? 0 : height_of(repeat->item.front());
  }
  if (const auto* set = std::get_if<CharClass>(&expr.node)) {
    return set->ranges.empty() && !set->negated ? kEndless : 0;
  }
  const auto* ref = std::get_if<RuleRef>(&expr.node);
  return ref == nullptr ? 0 : std::min(kEndless, heights_.at(ref->name) + 1);
}

// At great depth, chooses only the alternatives with the lowest derivations.
void InstanceMaker::derive(const Expr& expr, int depth, std::string& out) {
  if (steps_left_ == 0 || --steps_left_ == 0) return;
  const bool deep = depth > 25;
  if (const auto* literal = std::get_if<Literal>(&expr.node)) {
    out += literal->bytes;
  } else if (const auto* set = std::get_if<CharClass>(&expr.node)) {
    append_utf8(out, member_of(*set));
  } else if (const auto* list = std::get_if<Sequence>(&expr.node)) {
    for (const Expr& item : list->items) derive(item, depth, out);
  } else if (const auto* choice = std::get_if<Alternation>(&expr.node)) {
    const int lowest = height_of(expr);
    std::vector<const Expr*> options;
    for (const Expr& option : choice->options) {
      if (height_of(option) <= (deep ? lowest : kEndless - 1)) options.push_back(&option);
    }
    derive(*options.at(pick(static_cast<int>(options.size()))), depth, out);
  } else if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    const bool possible = height_of(repeat->item.front()) < kEndless;
    const int more = deep || !possible ? 0 : 4;
    const int most = std::min(repeat->max.value_or(repeat->min + more), repeat->min + more);
    const int count = repeat->min + pick(most - repeat->min + 1);
    for (int i = 0; i < count; ++i) derive(repeat->item.front(), depth, out);
  } else {
    derive(*rules_.at(std::get<RuleRef>(expr.node).name), depth + 1, out);
  }
}

char32_t InstanceMaker::member_of(const CharClass& set) {
  static const std::vector<char32_t> letters = {'a', 'z', '0', ' ', '/', 0xE9, 0x20AC, 0x1F600};
  if (set.negated) return letters[pick(static_cast<int>(letters.size()))];
  const CharRange& range = set.ranges[pick(static_cast<int>(set.ranges.size()))];
  return range.first + static_cast<char32_t>(pick(static_cast<int>(range.last - range.first) + 1));
}

}  // namespace pedro
