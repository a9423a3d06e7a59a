#include "json_schema/schema_negation.h"

#include <algorithm>
#include <string>
#include <utility>

#include "json_schema/schema_overlap.h"

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

// The cost of negating an assertion; more than kMaxSimple if the negation is inexact or involves
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

}  // namespace

Negation negation_of(const Schema& schema, const Assertion& assertion, SchemaBudget& budget) {
  return std::visit(Negator(schema, budget), assertion);
}

bool is_easily_negated(const Schema& schema, SchemaId id) {
  return weight_of(schema, id, 0) <= kMaxSimple;
}

}  // namespace pedro
