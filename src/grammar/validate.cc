#include "grammar/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "grammar/schema_keywords.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFound = 80;     // bytes of a scalar in a message
constexpr std::size_t kMaxPointer = 200;  // bytes of a pointer in a message
constexpr std::size_t kMaxNames = 200;    // bytes of a list of names

using Verdict = std::optional<Violation>;

std::string cut(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  return std::string(truncate_utf8(text, max_bytes)) + "...";
}

std::string found_text(const Json& value) {
  const auto plural = [&value] { return value.size() == 1 ? "" : "s"; };
  if (value.is_array()) return fmt::format("an array of {} item{}", value.size(), plural());
  if (value.is_object()) return fmt::format("an object of {} member{}", value.size(), plural());
  if (!value.is_string()) return to_line(value);
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() <= kMaxFound) return to_line(value);
  return fmt::format("{}... ({} bytes)", to_line(truncate_utf8(text, kMaxFound)), text.size());
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string_view type_of(const Json& value) {
  for (const SchemaType& type : schema_types()) {
    if (type.name != "integer" && has_type(value, type.name)) return type.name;
  }
  return "";
}

// Walks schema and value together; `pointer_` is where it is in the value.
class Validator {
 public:
  explicit Validator(const Schema& schema) : schema_(schema) {}

  Verdict check(SchemaId id, const Json& value) {
    return std::visit([&](const auto& spec) { return check_spec(id, spec, value); },
                      schema_[id].spec);
  }

 private:
  Verdict mismatch(SchemaId id, const Json& value) const {
    return Violation{pointer_, describe(schema_, id), found_text(value)};
  }

  Verdict unless(bool fits, SchemaId id, const Json& value) const {
    return fits ? Verdict() : mismatch(id, value);
  }

  Verdict check_at(std::string_view step, SchemaId id, const Json& value) {
    const std::size_t length = pointer_.size();
    pointer_ = pointer_to(pointer_, step);
    Verdict verdict = check(id, value);
    pointer_.resize(length);
    return verdict;
  }

  Verdict check_spec(SchemaId id, const ObjectSpec& object, const Json& value) {
    if (!value.is_object()) return mismatch(id, value);
    for (const auto& [name, child] : value.items()) {
      if (!declared(object, name)) return undeclared(object, name);
    }
    for (const PropertySpec& property : object.properties) {
      if (property.required && !value.contains(property.name)) {
        return Violation{pointer_to(pointer_, property.name),
                         describe(schema_, property.value) + " (required)", "nothing"};
      }
    }
    for (const PropertySpec& property : object.properties) {
      const auto found = value.find(property.name);
      if (found == value.end()) continue;
      if (auto verdict = check_at(property.name, property.value, *found)) return verdict;
    }
    return {};
  }

  static bool declared(const ObjectSpec& object, const std::string& name) {
    return std::any_of(object.properties.begin(), object.properties.end(),
                       [&](const PropertySpec& property) { return property.name == name; });
  }

  Verdict undeclared(const ObjectSpec& object, const std::string& name) const {
    std::vector<std::string> names;
    for (const PropertySpec& property : object.properties) names.push_back(property.name);
    const std::string expected = names.empty() ? "no properties"
                                 : names.size() == 1
                                     ? "only the property " + cut(names[0], kMaxNames)
                                     : "only the properties " + cut(join(names, ", "), kMaxNames);
    return Violation{
        pointer_, expected,
        fmt::format("'{}'{}", cut(name, kMaxFound), did_you_mean(cut(name, kMaxFound), names))};
  }

  Verdict check_spec(SchemaId id, const ArraySpec& array, const Json& value) {
    const bool fits = value.is_array() && value.size() >= array.min_items &&
                      value.size() <= array.max_items.value_or(value.size());
    if (!fits) return mismatch(id, value);
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (auto verdict = check_at(std::to_string(i), array.items, value[i])) return verdict;
    }
    return {};
  }

  Verdict check_spec(SchemaId id, const StringSpec& string, const Json& value) const {
    if (!value.is_string()) return mismatch(id, value);
    const std::size_t length = code_points(value.get_ref<const std::string&>());
    return unless(length >= string.min_length && length <= string.max_length.value_or(length), id,
                  value);
  }

  Verdict check_spec(SchemaId id, const IntegerSpec& integer, const Json& value) const {
    if (!has_type(value, "integer")) return mismatch(id, value);
    // nlohmann compares across kinds of numbers: an unsigned one beyond 2^63 would turn negative.
    const bool huge =
        value.is_number_unsigned() && value.get<unsigned long long>() > 9223372036854775807ull;
    if (huge) return unless(!integer.maximum, id, value);
    const bool fits = (!integer.minimum || value >= Json(*integer.minimum)) &&
                      (!integer.maximum || value <= Json(*integer.maximum));
    return unless(fits, id, value);
  }

  Verdict check_spec(SchemaId id, const NumberSpec& number, const Json& value) const {
    if (!value.is_number()) return mismatch(id, value);
    const auto real = value.get<double>();
    return unless(real >= number.minimum.value_or(real) && real <= number.maximum.value_or(real),
                  id, value);
  }

  Verdict check_spec(SchemaId id, const BooleanSpec&, const Json& value) const {
    return unless(value.is_boolean(), id, value);
  }

  Verdict check_spec(SchemaId id, const NullSpec&, const Json& value) const {
    return unless(value.is_null(), id, value);
  }

  Verdict check_spec(SchemaId id, const EnumSpec& set, const Json& value) const {
    const bool fits = std::any_of(set.values.begin(), set.values.end(),
                                  [&](const Json& one) { return same_json(one, value); });
    return unless(fits, id, value);
  }

  // Where just one option is for values of this type, what is wrong by that option says more than
  // a list of the options.
  Verdict check_spec(SchemaId id, const AnyOfSpec& any, const Json& value) {
    std::size_t matches = 0;
    std::size_t alike = 0;
    Verdict closest;
    for (const SchemaId option : any.options) {
      Verdict verdict = check(option, value);
      if (!verdict) {
        if (!any.exactly_one) return {};
        ++matches;
      } else if (takes_type(option, type_of(value))) {
        ++alike;
        closest = std::move(verdict);
      }
    }
    if (matches == 1) return {};
    if (matches > 1) {
      return Violation{pointer_, "exactly one of " + describe(schema_, id),
                       fmt::format("{}, which is {} of them", found_text(value), matches)};
    }
    return alike == 1 ? closest : mismatch(id, value);
  }

  bool takes_type(SchemaId id, std::string_view type) const {
    const auto& spec = schema_[id].spec;
    if (std::holds_alternative<ObjectSpec>(spec)) return type == "object";
    if (std::holds_alternative<ArraySpec>(spec)) return type == "array";
    if (std::holds_alternative<StringSpec>(spec)) return type == "string";
    if (std::holds_alternative<IntegerSpec>(spec)) return type == "number";
    if (std::holds_alternative<NumberSpec>(spec)) return type == "number";
    if (const auto* any = std::get_if<AnyOfSpec>(&spec)) {
      return std::any_of(any->options.begin(), any->options.end(),
                         [&](SchemaId option) { return takes_type(option, type); });
    }
    const auto* set = std::get_if<EnumSpec>(&spec);
    return set && std::any_of(set->values.begin(), set->values.end(),
                              [&](const Json& one) { return has_type(one, type); });
  }

  const Schema& schema_;
  std::string pointer_;
};

}  // namespace

std::string to_string(const Violation& violation) {
  const std::string place =
      violation.pointer.empty() ? "" : cut(violation.pointer, kMaxPointer) + ": ";
  return fmt::format("{}expected {}, got {}", place, violation.expected, violation.found);
}

std::optional<Violation> validate(const Schema& schema, const Json& value) {
  return Validator(schema).check(schema.root, value);
}

bool same_json(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object()) {
    if (a.size() != b.size()) return false;
    for (const auto& [name, value] : a.items()) {
      const auto other = b.find(name);
      if (other == b.end() || !same_json(value, *other)) return false;
    }
    return true;
  }
  if (a.is_array() && b.is_array()) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_json);
  }
  // nlohmann would find 2^64 - 1 equal to -1.
  if (a.is_number_integer() && b.is_number_integer()) return to_line(a) == to_line(b);
  return a == b;
}

}  // namespace pedro
