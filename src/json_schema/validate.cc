#include "json_schema/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "gbnf/match.h"
#include "json_schema/schema_keywords.h"
#include "regular/literal_graph.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFound = 80;           // bytes of a scalar in a message
constexpr std::size_t kMaxPointer = 200;        // bytes of a pointer in a message
constexpr std::size_t kMaxNameListBytes = 200;  // bytes of a list of names

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

template <typename Range>
bool in_range(std::size_t count, const Range& range) {
  return count >= range.min && count <= range.max.value_or(count);
}

const std::string& text_in(const Json& value) {
  return value.get_ref<const std::string&>();
}

// Walks schema and value in parallel; `pointer_` is the location in the value.
class Validator {
 public:
  explicit Validator(const Schema& schema) : schema_(schema) {}

  // A check that gave up has no result: a negation would turn a violation into the opposite.
  Verdict run(SchemaId id, const Json& value) {
    Verdict verdict = check(id, value);
    return gave_up_ ? too_long() : verdict;
  }

  Fit fit(SchemaId id, const Json& value) {
    const bool before = std::exchange(maybe_, false);
    const bool violated = check(id, value).has_value();
    const bool maybe = std::exchange(maybe_, before);
    if (gave_up_ || (maybe && !violated)) return Fit::kMaybe;
    return violated ? Fit::kNo : Fit::kYes;
  }

  std::size_t steps() const { return steps_; }

 private:
  Verdict check(SchemaId id, const Json& value) {
    if (id == Schema::kAnything) return {};
    gave_up_ = gave_up_ || ++steps_ > kMaxSteps || open_.size() >= kMaxDepth;
    if (gave_up_) return too_long();
    if (is_open(id, value)) return mismatch(id, value);
    open_.push_back(Open{id, &value});
    Verdict verdict = check_node(id, value);
    open_.pop_back();
    return verdict;
  }

  static constexpr std::size_t kMaxSteps = 1'000'000;
  static constexpr std::size_t kMaxDepth = 400;

  struct Open {
    SchemaId id = 0;
    const Json* value = nullptr;
  };

  Verdict too_long() const {
    return Violation{pointer_, "a value that can be checked in reasonable time", "one that cannot"};
  }

  // Returns true if a choice leads back to itself for the same value. The other options then
  // decide.
  bool is_open(SchemaId id, const Json& value) const {
    for (auto at = open_.rbegin(); at != open_.rend() && at->value == &value; ++at) {
      if (at->id == id) return true;
    }
    return false;
  }

  Verdict check_node(SchemaId id, const Json& value) {
    for (const Assertion& one : schema_[id].assertions) {
      const auto* rules = std::get_if<Properties>(&one);
      if (rules == nullptr || !value.is_object()) continue;
      if (auto verdict = undeclared(*rules, value)) return verdict;
    }
    for (const Assertion& one : schema_[id].assertions) {
      auto verdict = std::visit([&](const auto& it) { return check_one(id, it, value); }, one);
      if (verdict) return verdict;
    }
    return {};
  }

  // The three-valued result of a part. The result of the whole is open if a part's is.
  Fit fit_of(SchemaId id, const Json& value) {
    const Fit result = fit(id, value);
    maybe_ = maybe_ || result == Fit::kMaybe;
    return result;
  }

  bool may_fit(SchemaId id, const Json& value) { return fit_of(id, value) != Fit::kNo; }

  Verdict mismatch(SchemaId id, const Json& value) const {
    return Violation{pointer_, describe(schema_, id, type_of(value)), found_text(value)};
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

  Verdict check_one(SchemaId id, const TypeIs& type, const Json& value) {
    return unless((type.types & type_of(value)) != 0, id, value);
  }

  Verdict check_one(SchemaId id, const ValueIs& set, const Json& value) {
    const Json* const first = set.values.data();
    const bool listed =
        std::greater_equal<>()(&value, first) && std::less<>()(&value, first + set.values.size());
    if (listed) return {};  // it is one of the values itself
    steps_ += set.values.size() / 8;
    return unless(std::any_of(set.values.begin(), set.values.end(),
                              [&](const Json& one) { return same_json(one, value); }),
                  id, value);
  }

  Verdict check_one(SchemaId id, const LengthRange& range, const Json& value) {
    return unless(!value.is_string() || in_range(count_characters(text_in(value)), range), id,
                  value);
  }

  Verdict check_one(SchemaId id, const TextIn& text, const Json& value) {
    return unless(!value.is_string() || text.set.contains(text_in(value)), id, value);
  }

  Verdict check_one(SchemaId id, const NumberRange& range, const Json& value) {
    return unless(!is_json_number(value) || within(value, range), id, value);
  }

  Verdict check_one(SchemaId id, const MultipleOf& multiple, const Json& value) {
    if (!is_json_number(value)) return {};
    const auto number = parse_decimal(to_line(value));
    return unless(number && is_multiple(*number, multiple.divisor), id, value);
  }

  Verdict check_one(SchemaId id, const ItemCount& range, const Json& value) {
    return unless(!value.is_array() || in_range(value.size(), range), id, value);
  }

  Verdict check_one(SchemaId, const Items& items, const Json& value) {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      const SchemaId item = i < items.prefix.size() ? items.prefix[i] : items.rest;
      if (item == Schema::kAnything) continue;
      if (auto verdict = check_at(std::to_string(i), item, value[i])) return verdict;
    }
    return {};
  }

  Verdict check_one(SchemaId, const Contains& contains, const Json& value) {
    if (!value.is_array()) return {};
    std::size_t count = 0;  // of items that fit
    std::size_t open = 0;   // of items that may fit
    for (const Json& item : value) {
      const Fit result = fit_of(contains.item, item);
      if (result == Fit::kYes) ++count;
      if (result == Fit::kMaybe) ++open;
    }
    const bool few = count + open < contains.min;
    if (!few && count <= contains.max.value_or(count)) return {};
    return Violation{
        pointer_,
        fmt::format("at {} {} of {}", few ? "least" : "most", few ? contains.min : *contains.max,
                    describe(schema_, contains.item)),
        fmt::format("{} of them", count)};
  }

  Verdict check_one(SchemaId, const UniqueItems&, const Json& value) {
    if (!value.is_array() || are_unique(value)) return {};
    return Violation{pointer_, "an array of distinct items", "one with a duplicate item"};
  }

  Verdict check_one(SchemaId id, const PropertyCount& range, const Json& value) {
    return unless(!value.is_object() || in_range(value.size(), range), id, value);
  }

  Verdict check_one(SchemaId id, const Required& required, const Json& value) {
    if (!value.is_object()) return {};
    for (const std::string& name : required.names) {
      if (value.contains(name)) continue;
      return Violation{pointer_to(pointer_, name), describe_property(id, name) + " (required)",
                       "nothing"};
    }
    return {};
  }

  std::string describe_property(SchemaId id, const std::string& name) const {
    for (const Assertion& one : schema_[id].assertions) {
      const auto* rules = std::get_if<Properties>(&one);
      const SchemaId* property = rules ? rules->find(name) : nullptr;
      if (property) return describe(schema_, *property);
    }
    return "a value";
  }

  Verdict check_one(SchemaId, const Properties& rules, const Json& value) {
    if (!value.is_object()) return {};
    for (const auto& [name, property] : rules.declared) {
      const auto found = value.find(name);
      if (found == value.end()) continue;
      if (auto verdict = check_at(name, property, *found)) return verdict;
    }
    if (rules.patterns.empty() && rules.others <= Schema::kNothing) return {};
    steps_ += value.size() * (rules.declared.size() / 16 + rules.patterns.size());
    for (const auto& [name, member] : value.items()) {
      bool known = rules.find(name) != nullptr;
      for (const Properties::Pattern& pattern : rules.patterns) {
        if (!pattern.names.contains(name)) continue;
        known = true;
        if (auto verdict = check_at(name, pattern.value, member)) return verdict;
      }
      if (known) continue;
      if (auto verdict = check_at(name, rules.others, member)) return verdict;
    }
    return {};
  }

  Verdict undeclared(const Properties& rules, const Json& value) {
    if (rules.others != Schema::kNothing) return {};
    steps_ += value.size() * (rules.declared.size() / 16 + rules.patterns.size());
    for (const auto& [name, member] : value.items()) {
      if (!rules.covers(name)) return undeclared_name(rules, name);
    }
    return {};
  }

  Verdict undeclared_name(const Properties& rules, const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& property : rules.declared) names.push_back(property.first);
    std::string expected = names.empty() ? "no properties"
                           : names.size() == 1
                               ? "only the property " + cut(names[0], kMaxNameListBytes)
                               : "only the properties " + cut(join(names, ", "), kMaxNameListBytes);
    for (const Properties::Pattern& pattern : rules.patterns) {
      expected += fmt::format(" and those that match {}", cut(pattern.text, kMaxFound));
    }
    return Violation{
        pointer_, std::move(expected),
        fmt::format("'{}'{}", cut(name, kMaxFound), did_you_mean(cut(name, kMaxFound), names))};
  }

  Verdict check_one(SchemaId id, const Unevaluated& rest, const Json& value) {
    if (!value.is_object()) return {};
    for (const auto& [name, member] : value.items()) {
      if (is_evaluated<Properties, Unevaluated>(
              id, value, 0, [&name = name](const Properties& rules) {
                return rules.others_declared || rules.covers(name);
              })) {
        continue;
      }
      if (rest.value == Schema::kNothing) return undeclared_name(Properties(), name);
      if (auto verdict = check_at(name, rest.value, member)) return verdict;
    }
    return {};
  }

  Verdict check_one(SchemaId id, const UnevaluatedItems& rest, const Json& value) {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      const bool covered =
          is_evaluated<Items, UnevaluatedItems>(
              id, value, 0,
              [&](const Items& items) { return items.rest_declared || i < items.prefix.size(); }) ||
          is_evaluated<Contains, UnevaluatedItems>(
              id, value, 0, [&](const Contains& one) { return may_fit(one.item, value[i]); });
      if (covered) continue;
      if (auto verdict = check_at(std::to_string(i), rest.value, value[i])) return verdict;
    }
    return {};
  }

  // Returns true if a schema that `value` satisfies covers a part of it. A Rule covers the parts
  // that `covers` accepts; a Rest or an unknown schema within covers all.
  template <typename Rule, typename Rest, typename Covers>
  bool is_evaluated(SchemaId id, const Json& value, std::size_t depth, const Covers& covers) {
    if (depth > kMaxDepth || ++steps_ > kMaxSteps) return false;
    const auto in = [&](SchemaId part) {
      return is_evaluated<Rule, Rest>(part, value, depth + 1, covers);
    };
    const auto in_fitting = [&](SchemaId part) { return in(part) && may_fit(part, value); };
    for (const Assertion& one : schema_[id].assertions) {
      bool found = false;
      if (const auto* rule = std::get_if<Rule>(&one)) {
        found = covers(*rule);
      } else if (std::holds_alternative<Rest>(one)) {
        found = depth > 0;
      } else if (const auto* unknown = std::get_if<Unknown>(&one)) {
        found = unknown->types == kAllTypes;
        maybe_ = maybe_ || found;
      } else if (const auto* all = std::get_if<AllOf>(&one)) {
        found = std::any_of(all->parts.begin(), all->parts.end(), in);
      } else if (const auto* any = std::get_if<AnyOf>(&one)) {
        found = std::any_of(any->options.begin(), any->options.end(), in_fitting);
      } else if (const auto* only = std::get_if<OneOf>(&one)) {
        found = std::any_of(only->options.begin(), only->options.end(), in_fitting);
      } else if (const auto* branch = std::get_if<IfThenElse>(&one)) {
        const Fit condition = fit_of(branch->condition, value);
        found = (condition != Fit::kNo && (in(branch->condition) || in(branch->then))) ||
                (condition != Fit::kYes && in(branch->otherwise));
      } else if (const auto* dependent = std::get_if<Dependent>(&one)) {
        found = value.contains(dependent->name) && in(dependent->then);
      }
      if (found) return true;
    }
    return false;
  }

  Verdict check_one(SchemaId, const PropertyNames& names, const Json& value) {
    if (!value.is_object()) return {};
    for (const auto& [name, member] : value.items()) {
      if (may_fit(names.name, Json(name))) continue;
      return Violation{pointer_, "property names that are " + describe(schema_, names.name),
                       fmt::format("'{}'", cut(name, kMaxFound))};
    }
    return {};
  }

  Verdict check_one(SchemaId, const Dependent& dependent, const Json& value) {
    if (!value.is_object() || !value.contains(dependent.name)) return {};
    return check(dependent.then, value);
  }

  Verdict check_one(SchemaId, const AllOf& all, const Json& value) {
    for (const SchemaId part : all.parts) {
      if (auto verdict = check(part, value)) return verdict;
    }
    return {};
  }

  Verdict check_one(SchemaId id, const AnyOf& any, const Json& value) {
    return check_options(id, any.options, value, false);
  }

  Verdict check_one(SchemaId id, const OneOf& one, const Json& value) {
    return check_options(id, one.options, value, true);
  }

  // If only one option is for values of this type, reports its violation instead of a list of the
  // options.
  Verdict check_options(SchemaId id, const std::vector<SchemaId>& options, const Json& value,
                        bool exactly_one) {
    std::size_t matches = 0;
    std::size_t open = 0;
    std::size_t alike = 0;
    Verdict closest;
    for (const SchemaId option : options) {
      const bool before = std::exchange(maybe_, false);
      Verdict verdict = check(option, value);
      const bool maybe = std::exchange(maybe_, before);
      if (!verdict && !maybe) {
        if (!exactly_one) return {};
        ++matches;
      } else if (!verdict) {
        ++open;
      } else if ((types_at_first_sight(schema_, option) & similar(type_of(value))) != 0) {
        ++alike;
        closest = std::move(verdict);
      }
    }
    if (open > 0 && matches <= 1) {
      maybe_ = true;
      return {};
    }
    if (matches == 1) return {};
    if (matches > 1) {
      return Violation{pointer_, "exactly one of " + describe(schema_, id),
                       fmt::format("{}, which is {} of them", found_text(value), matches)};
    }
    return alike == 1 ? closest : mismatch(id, value);
  }

  // Treats integers and fractions as similar for error messages.
  static TypeBits similar(TypeBits type) {
    return (type & kNumberTypes) != 0 ? kNumberTypes : type;
  }

  Verdict check_one(SchemaId, const Not& negation, const Json& value) {
    if (fit_of(negation.schema, value) != Fit::kYes) return {};
    return Violation{pointer_, "anything but " + describe(schema_, negation.schema),
                     found_text(value)};
  }

  // Tests the compact form of the value, and the form with a blank after ',' and ':'.
  Verdict check_one(SchemaId id, const RawRules& raw, const Json& value) const {
    for (const std::string& text : {to_line(value), to_spaced_line(value)}) {
      const Result<bool> fits = matches(raw.rules, text);
      if (fits && *fits) return {};
    }
    return mismatch(id, value);
  }

  Verdict check_one(SchemaId, const Names&, const Json&) const { return {}; }

  Verdict check_one(SchemaId id, const TextOfGraph& texts, const Json& value) const {
    const auto* text = value.get_ptr<const std::string*>();
    if (text == nullptr || contains(*texts.graph, *text)) return {};
    return mismatch(id, value);
  }

  Verdict check_one(SchemaId, const IfThenElse& branch, const Json& value) {
    const Fit condition = fit(branch.condition, value);
    if (condition != Fit::kMaybe) {
      return check(condition == Fit::kYes ? branch.then : branch.otherwise, value);
    }
    const Fit then = fit(branch.then, value);
    const Fit otherwise = fit(branch.otherwise, value);
    maybe_ = maybe_ || then != Fit::kYes || otherwise != Fit::kYes;
    return then == Fit::kNo ? check(branch.otherwise, value) : Verdict();
  }

  Verdict check_one(SchemaId, const Unknown& unknown, const Json& value) {
    maybe_ = maybe_ || (unknown.types & type_of(value)) != 0;
    return {};
  }

  const Schema& schema_;
  std::string pointer_;
  std::size_t steps_ = 0;
  bool gave_up_ = false;
  bool maybe_ = false;  // the current check depends on an Unknown
  std::vector<Open> open_;
};

}  // namespace

std::string to_string(const Violation& violation) {
  const std::string place =
      violation.pointer.empty() ? "" : cut(violation.pointer, kMaxPointer) + ": ";
  return fmt::format("{}expected {}, got {}", place, violation.expected, violation.found);
}

std::optional<Violation> validate(const Schema& schema, const Json& value) {
  return validate(schema, schema.root, value);
}

std::optional<Violation> validate(const Schema& schema, SchemaId id, const Json& value) {
  return Validator(schema).run(id, value);
}

Fit fit(const Schema& schema, SchemaId id, const Json& value, SchemaBudget* budget) {
  Validator validator(schema);
  const Fit result = validator.fit(id, value);
  if (budget != nullptr) budget->spend(8 * validator.steps());
  return result;
}

}  // namespace pedro
