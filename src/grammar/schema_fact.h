#pragma once

#include <string>
#include <variant>
#include <vector>

#include "grammar/schema.h"
#include "grammar/schema_goal.h"

namespace pedro {

// What the search for shapes works with, beside the assertions that are facts as they stand. All of
// it points into the Schema.

/// An assertion of `node` that must not hold.
struct Denied {
  SchemaId node = 0;
  const Assertion* assertion = nullptr;
};

/// A value is none of these.
struct NoneOf {
  const ValueIs* values = nullptr;
};

/// A string is not in the set.
struct TextNotIn {
  const TextIn* texts = nullptr;
};

/// An object has no such member.
struct Absent {
  std::string name;
};

/// If an object has the member, its value fits.
struct MemberIs {
  std::string name;
  Term term;
};

using Fact = std::variant<Term, Denied, TypeIs, NoneOf, LengthRange, TextNotIn, NumberRange,
                          ItemCount, PropertyCount, Required, Absent, MemberIs>;

/// All of these.
using Facts = std::vector<Fact>;

}  // namespace pedro
