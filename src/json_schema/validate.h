#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "gbnf/schema_budget.h"
#include "json_schema/schema.h"

namespace pedro {

/// The first violation of a schema by a value.
struct Violation {
  std::string pointer;   ///< location in the value (RFC 6901); "" is the value itself
  std::string expected;  ///< "an integer >= 1"
  std::string found;     ///< `"3"`, "an array of 7 items", "nothing"; truncated at about 80 bytes
};

/// Formats as `/start_line: expected an integer >= 1, got "3"`. At most about 600 bytes, suitable
/// for a prompt.
std::string to_string(const Violation& violation);

/// Returns nullopt if `value` satisfies the schema (its root, or the node `id`). In an object,
/// reports undeclared properties first, because a misspelt name allows a suggestion. Then reports
/// missing required properties, then values in declared order. Visits at most a million nodes,
/// nested at most 400 deep; beyond that it reports a violation.
///
///     const auto violation = validate(schema, {{"line", "3"}});
///     // "/line: expected an integer >= 1, got "3""
std::optional<Violation> validate(const Schema& schema, const Json& value);
std::optional<Violation> validate(const Schema& schema, SchemaId id, const Json& value);

/// The result of a check that may depend on assertions of unknown result (Unknown).
enum class Fit {
  kNo,     ///< violates the schema
  kMaybe,  ///< depends on an Unknown, or takes more steps than validate() allows
  kYes,    ///< satisfies the schema
};

/// Checks `value` against the node `id`. validate() reports exactly the violations that are
/// certain. Charges `budget` unless it is null.
Fit fit(const Schema& schema, SchemaId id, const Json& value, SchemaBudget* budget = nullptr);

}  // namespace pedro
