#include "grammar/instance_maker.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"

namespace pedro {

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

Json InstanceMaker::fitting(const Schema& schema, SchemaId id) {
  const auto& spec = schema[id].spec;
  if (const auto* object = std::get_if<ObjectSpec>(&spec)) {
    Json value = Json::object();
    for (const PropertySpec& property : object->properties) {
      if (property.required || pick(2) == 0) value[property.name] = fitting(schema, property.value);
    }
    return value;
  }
  if (const auto* array = std::get_if<ArraySpec>(&spec)) {
    const std::size_t most = std::min(array->max_items.value_or(99), array->min_items + 3);
    const auto count = array->min_items + static_cast<std::size_t>(
                                              pick(static_cast<int>(most - array->min_items) + 1));
    Json value = Json::array();
    for (std::size_t i = 0; i < count; ++i) value.push_back(fitting(schema, array->items));
    return value;
  }
  if (const auto* string = std::get_if<StringSpec>(&spec)) {
    return text(string->min_length, string->max_length.value_or(string->min_length + 9));
  }
  if (const auto* integer = std::get_if<IntegerSpec>(&spec)) {
    const long long low = integer->minimum.value_or(integer->maximum.value_or(100) - 200);
    const long long high = integer->maximum.value_or(low + 400);
    return low + static_cast<long long>(random_()) % (high - low + 1);
  }
  if (const auto* number = std::get_if<NumberSpec>(&spec)) {
    const double low = number->minimum.value_or(number->maximum.value_or(2) - 4);
    const double high = number->maximum.value_or(low + 4);
    return low + (high - low) * pick(9) / 8;
  }
  if (std::holds_alternative<BooleanSpec>(spec)) return pick(2) == 0;
  if (std::holds_alternative<NullSpec>(spec)) return nullptr;
  if (const auto* set = std::get_if<EnumSpec>(&spec)) {
    return set->values[pick(static_cast<int>(set->values.size()))];
  }
  const auto& options = std::get<AnyOfSpec>(spec).options;
  return fitting(schema, options[pick(static_cast<int>(options.size()))]);
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
  std::string out;
  derive(grammar, rule_ref("root"), out);
  return out;
}

void InstanceMaker::derive(const Gbnf& grammar, const Expr& expr, std::string& out) {
  if (const auto* literal = std::get_if<Literal>(&expr.node)) {
    out += literal->bytes;
  } else if (const auto* set = std::get_if<CharClass>(&expr.node)) {
    append_utf8(out, member_of(*set));
  } else if (const auto* list = std::get_if<Sequence>(&expr.node)) {
    for (const Expr& item : list->items) derive(grammar, item, out);
  } else if (const auto* choice = std::get_if<Alternation>(&expr.node)) {
    derive(grammar, choice->options[pick(static_cast<int>(choice->options.size()))], out);
  } else if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    const int most = std::min(repeat->max.value_or(repeat->min + 4), repeat->min + 4);
    const int count = repeat->min + pick(most - repeat->min + 1);
    for (int i = 0; i < count; ++i) derive(grammar, repeat->item.front(), out);
  } else {
    const auto& name = std::get<RuleRef>(expr.node).name;
    for (const Rule& rule : grammar.rules) {
      if (rule.name == name) derive(grammar, rule.expr, out);
    }
  }
}

char32_t InstanceMaker::member_of(const CharClass& set) {
  static const std::vector<char32_t> letters = {'a', 'z', '0', ' ', '/', 0xE9, 0x20AC, 0x1F600};
  if (set.negated) return letters[pick(static_cast<int>(letters.size()))];
  const CharRange& range = set.ranges[pick(static_cast<int>(set.ranges.size()))];
  return range.first + static_cast<char32_t>(pick(static_cast<int>(range.last - range.first) + 1));
}

}  // namespace pedro
