#pragma once

#include <string_view>
#include <vector>

#include "grammar/grammar_builder.h"
#include "grammar/loose_ends.h"
#include "grammar/schema.h"

namespace pedro {

/// Adds the rules for `schema` to `grammar` and returns what matches one value, written as JSON:
///   - properties in declared order, optional ones there or not, then those that are not declared,
///     where these are allowed; names that are declared do not come among them;
///   - exactly one optional blank after ':' and ',' and no other white space;
///   - strings as json_char() has them; those of patterns, formats and names with the usual escapes
///     only, so that each text has one form;
///   - numbers as number_set() has them;
///   - enum and const as they are written compactly.
/// Every text it matches is JSON, and but for what is appended to `loosened` (and what is in
/// Schema::unchecked) it passes validate(). A schema that nothing fits gives what matches nothing.
/// `name` begins the names of the rules. Same input, same bytes.
Expr add_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                std::vector<Loosened>& loosened);

}  // namespace pedro
