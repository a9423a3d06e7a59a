#include "json_schema/schema_goal.h"

#include <algorithm>
#include <utility>

#include "json_schema/schema_overlap.h"
#include "json_schema/validate.h"

namespace pedro {
namespace {

constexpr int kMaxSimple = 3;  // weight of a schema that is cheap to negate

NumberBound flipped(const NumberBound& bound) {
  return NumberBound{bound.value, !bound.exclusive};
}

// Below or above the range.
template <typename Range>
Negation outside(const Range& range, TypeBits type) {
  std::vector<Facts> options;
  if (range.min > 0) options.push_back({TypeIs{type}, Range{0, range.min - 1}});
  if (range.max) options.push_back({TypeIs{type}, Range{*range.max + 1, std::nullopt}});
  return {{}, std::move(options)};
}

Negation inexact(TypeBits type) {
  return {{TypeIs{type}}, std::nullopt, false};
}

class Negator {
 public:
  Negator(const Schema& schema, SchemaBudget& budget) : schema_(schema), budget_(budget) {}

  Negation operator()(const TypeIs& it) const {
    return {{TypeIs{static_cast<TypeBits>(kAllTypes & ~it.types)}}, std::nullopt};
  }
  Negation operator()(const ValueIs& it) const { return {{NoneOf{&it}}, std::nullopt}; }
  Negation operator()(const LengthRange& it) const { return outside(it, kStringType); }
  Negation operator()(const TextIn& it) const {
    return {{TypeIs{kStringType}, TextNotIn{&it}}, std::nullopt};
  }
  Negation operator()(const NumberRange& it) const {
    std::vector<Facts> options;
    if (it.lower) options.push_back({NumberRange{std::nullopt, flipped(*it.lower)}});
    if (it.upper) options.push_back({NumberRange{flipped(*it.upper), std::nullopt}});
    return {{TypeIs{kNumberTypes}}, std::move(options)};
  }
  Negation operator()(const ItemCount& it) const { return outside(it, kArrayType); }
  Negation operator()(const PropertyCount& it) const { return outside(it, kObjectType); }
  Negation operator()(const Required& it) const {
    std::vector<Facts> options;
    for (const std::string& name : it.names) options.push_back({Absent{name}});
    return {{TypeIs{kObjectType}}, std::move(options)};
  }
  // Requires a declared property with a value that violates its schema.
  Negation operator()(const Properties& it) const {
    if (!it.patterns.empty() || it.others != Schema::kAnything) return inexact(kObjectType);
    std::vector<Facts> options;
    for (const auto& [name, value] : it.declared) {
      if (value == Schema::kAnything) continue;
      options.push_back({Required{{name}}, MemberIs{name, Term{value, true}}});
    }
    return {{TypeIs{kObjectType}}, std::move(options)};
  }
  Negation operator()(const Dependent& it) const {
    return {{TypeIs{kObjectType}, Required{{it.name}}, Term{it.then, true}}, std::nullopt};
  }
  Negation operator()(const AllOf& it) const {
    std::vector<Facts> options;
    for (const SchemaId part : it.parts) options.push_back({Term{part, true}});
    return {{}, std::move(options)};
  }
  Negation operator()(const AnyOf& it) const { return {none_of(it.options), std::nullopt}; }
  Negation operator()(const OneOf& it) const {
    if (!is_exclusive(schema_, it, budget_))
      return inexact(kAllTypes);  // two matches violate it as well
    return {none_of(it.options), std::nullopt};
  }
  Negation operator()(const Not& it) const { return {{Term{it.schema, false}}, std::nullopt}; }
  Negation operator()(const IfThenElse& it) const {
    return {{},
            std::vector<Facts>{{Term{it.condition, false}, Term{it.then, true}},
                               {Term{it.condition, true}, Term{it.otherwise, true}}}};
  }
  Negation operator()(const MultipleOf&) const { return inexact(kNumberTypes); }
  Negation operator()(const Items&) const { return inexact(kArrayType); }
  Negation operator()(const UnevaluatedItems&) const { return inexact(kArrayType); }
  Negation operator()(const Contains&) const { return inexact(kArrayType); }
  Negation operator()(const UniqueItems&) const { return inexact(kArrayType); }
  Negation operator()(const Unevaluated&) const { return inexact(kObjectType); }
  Negation operator()(const PropertyNames&) const { return inexact(kObjectType); }
  Negation operator()(const RawRules&) const { return inexact(kAllTypes); }
  Negation operator()(const Names&) const { return inexact(kAllTypes); }
  Negation operator()(const TextOfGraph&) const { return inexact(kStringType); }
  Negation operator()(const Unknown& it) const { return inexact(it.types); }

 private:
  static Facts none_of(const std::vector<SchemaId>& options) {
    Facts facts;
    for (const SchemaId option : options) facts.emplace_back(Term{option, true});
    return facts;
  }

  const Schema& schema_;
  SchemaBudget& budget_;
};

int weight_of(const Schema& schema, SchemaId id, int depth);

// The cost of negating an assertion. More than kMaxSimple if the negation is inexact or involves
// other schemas, except those of a few properties.
struct Weight {
  const Schema& schema;
  int depth = 0;

  int operator()(const Required& it) const { return static_cast<int>(it.names.size()); }
  int operator()(const TypeIs&) const { return 1; }
  int operator()(const ValueIs&) const { return 1; }
  int operator()(const LengthRange&) const { return 1; }
  int operator()(const TextIn&) const { return 1; }
  int operator()(const NumberRange&) const { return 1; }
  int operator()(const ItemCount&) const { return 1; }
  int operator()(const Properties& it) const {
    const bool exact = it.patterns.empty() && it.others == Schema::kAnything;
    if (!exact || depth > 0 || it.declared.size() > kMaxSimple) return kMaxSimple + 1;
    int weight = 0;
    for (const auto& [name, value] : it.declared) weight += weight_of(schema, value, depth + 1);
    return weight;
  }
  template <typename Other>
  int operator()(const Other&) const {
    return kMaxSimple + 1;
  }
};

int weight_of(const Schema& schema, SchemaId id, int depth) {
  int weight = 0;
  for (const Assertion& one : schema[id].assertions) {
    weight += std::min(std::visit(Weight{schema, depth}, one), kMaxSimple + 1);
    if (weight > kMaxSimple) break;
  }
  return weight;
}

// Follows nodes that only refer to another node. check_circles() excludes cycles.
SchemaId resolved(const Schema& schema, SchemaId id) {
  for (;;) {
    const auto& assertions = schema[id].assertions;
    const auto* all = assertions.size() == 1 ? std::get_if<AllOf>(&assertions.front()) : nullptr;
    if (all == nullptr || all->parts.size() != 1) return id;
    id = all->parts.front();
  }
}

// Returns true if every value may satisfy the schema.
bool allows_all(const SchemaNode& node) {
  return std::all_of(node.assertions.begin(), node.assertions.end(),
                     [](const Assertion& one) { return std::holds_alternative<Unknown>(one); });
}

}  // namespace

std::set<SchemaId> find_scope(const Schema& schema, SchemaId node, SchemaBudget& budget) {
  std::set<SchemaId> scope;
  std::vector<SchemaId> todo{node};
  const auto add = [&todo](const std::vector<SchemaId>& parts) {
    todo.insert(todo.end(), parts.begin(), parts.end());
  };
  while (!todo.empty() && budget.spend(8)) {
    const SchemaId at = todo.back();
    todo.pop_back();
    if (!scope.insert(at).second) continue;
    for (const Assertion& one : schema[at].assertions) {
      if (const auto* all = std::get_if<AllOf>(&one)) add(all->parts);
      if (const auto* any = std::get_if<AnyOf>(&one)) add(any->options);
      if (const auto* only = std::get_if<OneOf>(&one)) add(only->options);
      if (const auto* dependent = std::get_if<Dependent>(&one)) add({dependent->then});
      if (const auto* branch = std::get_if<IfThenElse>(&one)) {
        add({branch->condition, branch->then, branch->otherwise});
      }
    }
  }
  return scope;
}

Negation negation_of(const Schema& schema, const Assertion& assertion, SchemaBudget& budget) {
  return std::visit(Negator(schema, budget), assertion);
}

bool is_easily_negated(const Schema& schema, SchemaId id) {
  return weight_of(schema, id, 0) <= kMaxSimple;
}

Goal goal_of(const Schema& schema, std::vector<Term> terms) {
  for (Term& term : terms) term.id = resolved(schema, term.id);
  std::erase_if(terms,
                [&](const Term& term) { return !term.negated && allows_all(schema[term.id]); });
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

bool fits(const Schema& schema, const Goal& goal, const Json& value, SchemaBudget& budget) {
  if (!budget.spend(8)) return false;
  return std::all_of(goal.begin(), goal.end(), [&](const Term& term) {
    return fit(schema, term.id, value, &budget) != (term.negated ? Fit::kYes : Fit::kNo);
  });
}

}  // namespace pedro
