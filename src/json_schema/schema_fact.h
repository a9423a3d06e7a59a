#pragma once

#include <string>
#include <variant>
#include <vector>

#include "json_schema/schema.h"
#include "json_schema/schema_goal.h"

namespace pedro {

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

}  // namespace pedro
