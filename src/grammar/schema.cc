#include "grammar/schema.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxWords = 200;  // bytes

template <typename Number>
std::string bounded(std::string_view noun, std::optional<Number> min, std::optional<Number> max) {
  if (min && max) return fmt::format("{} from {} to {}", noun, *min, *max);
  if (min) return fmt::format("{} >= {}", noun, *min);
  if (max) return fmt::format("{} <= {}", noun, *max);
  return std::string(noun);
}

std::string counted(std::string_view noun, std::size_t min, std::optional<std::size_t> max,
                    std::string_view unit) {
  const auto plural = [](std::size_t count) { return count == 1 ? "" : "s"; };
  if (max == min) return fmt::format("{} of {} {}{}", noun, min, unit, plural(min));
  if (max && min > 0) return fmt::format("{} of {} to {} {}s", noun, min, *max, unit);
  if (max) return fmt::format("{} of at most {} {}{}", noun, *max, unit, plural(*max));
  if (min > 0) return fmt::format("{} of at least {} {}{}", noun, min, unit, plural(min));
  return std::string(noun);
}

std::string shortened(std::string text) {
  if (text.size() <= kMaxWords) return text;
  return std::string(truncate_utf8(text, kMaxWords)) + " ...";
}

// Stops adding when there is enough, so that a thousand values cost no more than a few.
template <typename List, typename Describe>
std::string one_of_these(const List& list, Describe one) {
  std::string out;
  for (std::size_t i = 0; i < list.size() && out.size() <= kMaxWords; ++i) {
    if (i > 0) out += i + 1 == list.size() ? " or " : ", ";
    out += one(list[i]);
  }
  return out;
}

struct Describer {
  const Schema& schema;

  std::string operator()(const ObjectSpec& object) const {
    return object.properties.empty() ? "an object without properties" : "an object";
  }
  std::string operator()(const ArraySpec& array) const {
    return counted("an array", array.min_items, array.max_items, "item");
  }
  std::string operator()(const StringSpec& string) const {
    return counted("a string", string.min_length, string.max_length, "character");
  }
  std::string operator()(const IntegerSpec& integer) const {
    return bounded("an integer", integer.minimum, integer.maximum);
  }
  std::string operator()(const NumberSpec& number) const {
    return bounded("a number", number.minimum, number.maximum);
  }
  std::string operator()(const BooleanSpec&) const { return "true or false"; }
  std::string operator()(const NullSpec&) const { return "null"; }
  std::string operator()(const EnumSpec& set) const { return one_of_these(set.values, to_line); }
  std::string operator()(const AnyOfSpec& any) const {
    return one_of_these(any.options, [this](SchemaId id) { return describe(schema, id); });
  }
};

}  // namespace

std::string pointer_to(std::string_view pointer, std::string_view step) {
  return std::string(pointer) + "/" + replace_all(replace_all(step, "~", "~0"), "/", "~1");
}

std::string describe(const Schema& schema, SchemaId id) {
  return shortened(std::visit(Describer{schema}, schema[id].spec));
}

}  // namespace pedro
