#include "json_schema/schema_overlap.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "json_schema/validate.h"

namespace pedro {
namespace {

constexpr int kMaxParts = 8;             // levels of nested allOf
constexpr int kMaxProperties = 3;        // levels of nested properties
constexpr std::size_t kMaxValues = 100;  // values of an enum to check

/// The assertions of a schema and of the parts of its allOf, combined.
struct Sight {
  std::set<SchemaId> nodes;
  std::vector<const ValueIs*> values;
  std::vector<const Properties*> properties;
  std::set<std::string> required;
};

void look(const Schema& schema, SchemaId id, int depth, Sight& sight) {
  if (depth > kMaxParts || !sight.nodes.insert(id).second) return;
  for (const Assertion& one : schema[id].assertions) {
    if (const auto* set = std::get_if<ValueIs>(&one)) sight.values.push_back(set);
    if (const auto* rules = std::get_if<Properties>(&one)) sight.properties.push_back(rules);
    if (const auto* names = std::get_if<Required>(&one)) {
      sight.required.insert(names->names.begin(), names->names.end());
    }
    const auto* all = std::get_if<AllOf>(&one);
    if (all == nullptr) continue;
    for (const SchemaId part : all->parts) look(schema, part, depth + 1, sight);
  }
}

// Returns true if no value that `a` lists satisfies `b`.
bool values_apart(const Schema& schema, const Sight& a, SchemaId b, SchemaBudget& budget) {
  return std::any_of(a.values.begin(), a.values.end(), [&](const ValueIs* set) {
    return set->values.size() <= kMaxValues &&
           std::none_of(set->values.begin(), set->values.end(), [&](const Json& value) {
             return fit(schema, b, value, &budget) != Fit::kNo;
           });
  });
}

// The steps to find a property in every Properties of a schema.
std::size_t cost_of(const Sight& sight) {
  std::size_t steps = 0;
  for (const Properties* rules : sight.properties) steps += 1 + rules->declared.size() / 8;
  return steps;
}

bool forbids(const Sight& sight, const std::string& name) {
  return std::any_of(sight.properties.begin(), sight.properties.end(), [&](const auto* rules) {
    const SchemaId* declared = rules->find(name);
    if (declared) return *declared == Schema::kNothing;
    return rules->others == Schema::kNothing && rules->patterns.empty();
  });
}

bool apart(const Schema& schema, SchemaId a, SchemaId b, SchemaBudget& budget, int depth);

bool properties_apart(const Schema& schema, const Sight& a, const Sight& b, const std::string& name,
                      SchemaBudget& budget, int depth) {
  for (const Properties* left : a.properties) {
    const SchemaId* in_a = left->find(name);
    if (in_a == nullptr) continue;
    for (const Properties* right : b.properties) {
      const SchemaId* in_b = right->find(name);
      if (in_b && apart(schema, *in_a, *in_b, budget, depth + 1)) return true;
    }
  }
  return false;
}

bool objects_apart(const Schema& schema, const Sight& a, const Sight& b, SchemaBudget& budget,
                   int depth) {
  for (const std::string& name : a.required) {
    if (!budget.spend(4 + cost_of(a) + cost_of(b))) return false;
    if (forbids(b, name)) return true;
    if (b.required.contains(name) && properties_apart(schema, a, b, name, budget, depth))
      return true;
  }
  return std::any_of(b.required.begin(), b.required.end(),
                     [&](const std::string& name) { return forbids(a, name); });
}

bool apart(const Schema& schema, SchemaId a, SchemaId b, SchemaBudget& budget, int depth) {
  if (!budget.spend(16)) return false;
  const TypeBits types = types_at_first_sight(schema, a) & types_at_first_sight(schema, b);
  if (types == 0) return true;
  if (depth > kMaxProperties) return false;
  Sight left;
  Sight right;
  look(schema, a, 0, left);
  look(schema, b, 0, right);
  budget.spend(
      8 * (left.nodes.size() + right.nodes.size() + left.required.size() + right.required.size()));
  if (values_apart(schema, left, b, budget) || values_apart(schema, right, a, budget)) return true;
  return types == kObjectType && objects_apart(schema, left, right, budget, depth);
}

// Returns true if every option lists its values, and none is a value of two options. Compares only
// values of types that have one text each.
bool has_distinct_constants(const Schema& schema, const OneOf& choice, SchemaBudget& budget) {
  std::set<std::string> seen;
  for (const SchemaId option : choice.options) {
    Sight sight;
    look(schema, option, 0, sight);
    if (sight.values.empty()) return false;
    for (const Json& value : sight.values.front()->values) {
      if (value.is_structured() || is_json_number(value) || !budget.spend(32)) return false;
      if (!seen.insert(to_line(value)).second) return false;
    }
  }
  return true;
}

}  // namespace

bool surely_apart(const Schema& schema, SchemaId a, SchemaId b, SchemaBudget& budget) {
  return apart(schema, a, b, budget, 0);
}

std::vector<SchemaId> overlapping(const Schema& schema, const OneOf& choice, std::size_t i,
                                  SchemaBudget& budget) {
  const std::vector<SchemaId>& options = choice.options;
  std::vector<SchemaId> out;
  for (std::size_t j = 0; j < options.size(); ++j) {
    if (j == i) continue;
    if (!budget.spend(1, 0)) break;
    const bool apart =
        options.size() <= kMaxCompared && surely_apart(schema, options[i], options[j], budget);
    if (!apart) out.push_back(options[j]);
  }
  return out;
}

bool is_exclusive(const Schema& schema, const OneOf& choice, SchemaBudget& budget) {
  if (choice.options.size() > kMaxCompared) return has_distinct_constants(schema, choice, budget);
  for (std::size_t i = 0; i < choice.options.size(); ++i) {
    if (!overlapping(schema, choice, i, budget).empty()) return false;
  }
  return true;
}

}  // namespace pedro
