#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "grammar/schema.h"

namespace pedro {

/// The first thing about a value that its schema does not allow.
struct Violation {
  std::string pointer;   ///< where in the value (RFC 6901); "" is the value itself
  std::string expected;  ///< "an integer >= 1"
  std::string found;     ///< `"3"`, "an array of 7 items", "nothing"; cut at about 80 bytes
};

/// `/start_line: expected an integer >= 1, got "3"`. At most about 600 bytes, fit for a prompt.
std::string to_string(const Violation& violation);

/// Nothing where `value` fits the schema (its root, or the node `id`). In an object, properties
/// that do not belong there are reported first (a misspelt one says what was meant, which a missing
/// one cannot), then required ones that are missing, then values in declared order. Looks at no
/// more than a million nodes and 400 of them within each other: beyond that nothing fits.
std::optional<Violation> validate(const Schema& schema, const Json& value);
std::optional<Violation> validate(const Schema& schema, SchemaId id, const Json& value);

/// Equality as JSON Schema has it: 1 is 1.0, and the order of an object's members means nothing.
/// Recurses as deep as the shallower of the two.
bool same_json(const Json& a, const Json& b);

}  // namespace pedro
