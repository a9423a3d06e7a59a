#pragma once

#include <compare>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "gbnf/schema_budget.h"
#include "json_schema/schema.h"

namespace pedro {

/// A schema that a value must satisfy, or with `negated` must not satisfy.
struct Term {
  SchemaId id = 0;
  bool negated = false;
  auto operator<=>(const Term&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// The conditions on a value: all of these terms, sorted, without duplicates. Any value if empty.
using Goal = std::vector<Term>;

/// Returns the goal of all `terms` in canonical form. Replaces a schema that is only a reference by
/// its target.
Goal goal_of(const Schema& schema, std::vector<Term> terms);

/// Returns true if `value` satisfies all terms of the goal, or may do so (see Fit).
/// Charges the budget.
bool fits(const Schema& schema, const Goal& goal, const Json& value, SchemaBudget& budget);

// The facts in the search for shapes, in addition to assertions that serve as facts directly. All
// of them point into the Schema.

/// An assertion of `node` that must not hold.
struct Denied {
  SchemaId node = 0;
  const Assertion* assertion = nullptr;
};

/// An assertion of `node` that must hold.
struct Assumed {
  SchemaId node = 0;
  const Assertion* assertion = nullptr;
};

/// A value that is none of these.
struct NoneOf {
  const ValueIs* values = nullptr;
};

/// A string that is not in the set.
struct TextNotIn {
  const TextIn* texts = nullptr;
};

/// An object without this member.
struct Absent {
  std::string name;
};

/// The term for the value of a member, if an object has it.
struct MemberIs {
  std::string name;
  Term term;
};

using Fact = std::variant<Term, Denied, Assumed, TypeIs, NoneOf, LengthRange, TextNotIn,
                          NumberRange, ItemCount, PropertyCount, Required, Absent, MemberIs>;

/// Facts that must all hold.
using Facts = std::vector<Fact>;

/// The constraints on a value that violates an assertion. The value has the type that the assertion
/// is about and satisfies the facts below.
struct Negation {
  Facts facts;
  std::optional<std::vector<Facts>> choice;  ///< and one of these; if empty, no value remains
  bool exact = true;  ///< false: too weak, also allows values that satisfy the assertion
};

Negation negation_of(const Schema& schema, const Assertion& assertion, SchemaBudget& budget);

/// Returns true if a schema is simple enough for an exact and cheap negation.
bool is_easily_negated(const Schema& schema, SchemaId id);

/// Returns the node and all parts that constrain the same value, without those below "not".
/// "unevaluatedProperties" of the node sees the properties of these parts. Charges the budget;
/// incomplete once it is spent.
std::set<SchemaId> find_scope(const Schema& schema, SchemaId node, SchemaBudget& budget);

}  // namespace pedro
