#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/grammar_builder.h"
#include "grammar/schema.h"

namespace pedro {

/// A place where the grammar allows more than the schema: validate() has to catch the rest.
struct Loosened {
  std::string pointer;  ///< in the schema document: "/properties/text"
  std::string keyword;  ///< "maxLength"
  std::string instead;  ///< what the grammar allows: "any length"
};

/// Adds the rules for `schema` to `grammar` and returns what matches one value, written as JSON:
///   - properties in declared order, optional ones left out or not; never a leading comma; rules of
///     linear size;
///   - exactly one optional blank after ':' and ',' and no other white space: what models write
///     anyway, and cheap to check;
///   - strings without raw control characters and DEL, escapes as JSON has them, \u surrogates only
///     as pairs;
///   - integers within exact bounds; where a bound is missing, up to 16 digits (19 when the other
///     bound needs them); numbers of at most 16 digits before and after the point and a two-digit
///     exponent;
///   - enum and const as they are written compactly, with the same optional blanks.
/// Every text it matches is JSON, and but for what is appended to `loosened` it passes validate().
/// `name` begins the names of the rules. Same input, same bytes.
Expr add_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                std::vector<Loosened>& loosened);

/// One value as JSON text with the same optional blanks. Recurses as deep as the value.
Expr json_constant(const Json& value);

}  // namespace pedro
