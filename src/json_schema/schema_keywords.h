#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "json_schema/schema.h"

namespace pedro {

/// A keyword of JSON Schema.
struct SchemaKeyword {
  std::string_view name;
  TypeBits types = kAllTypes;  ///< the types that it constrains; 0 for an annotation
};

/// Returns a keyword of the drafts from 4 to 2020-12 or an extension of pedrocli, or null.
const SchemaKeyword* find_keyword(std::string_view name);

/// Returns true if the value of the keyword is data, in which nothing is a keyword: "enum".
bool holds_data(std::string_view keyword);

/// Returns true if the value of the keyword maps names to schemas: "properties".
bool holds_names(std::string_view keyword);

/// Calls `visit` for each schema of a document, also below unknown keywords, outer ones first.
/// `visit` may change the keywords of its schema.
void for_each_schema(Json& document, const std::function<void(Json&)>& visit);

/// Returns the bits of a type's name ("number" has two), or 0 if it is unknown.
TypeBits type_named(std::string_view name);

/// Returns true if a number has no fraction: 3, 3.0.
bool is_whole(const Json& number);

/// Returns an error (kConfig) at `pointer` in a schema document; shows the document itself as "/".
Error schema_error(std::string_view pointer, std::string_view text);

/// Rejects (kConfig) members of `schema` that are not keywords or do not constrain values of
/// `types`.
Status check_keywords(const Json& schema, std::string_view pointer, TypeBits types);

/// Returns "unknown type (did you mean 'string'?); there are object, array, ...".
Error unknown_type(const Json& name, std::string_view pointer);

/// Prepares a schema for use inside another document, at the JSON pointer `pointer`. Prepends the
/// pointer to local references, which are relative to the document's root. Keeps anchors, and parts
/// with an `$id`. Removes the annotations of the root, such as `$schema`, `$id` and `title`.
///
///     outer["properties"]["args"] = moved_schema(schema, "/properties/args");
Json moved_schema(Json schema, const std::string& pointer);

/// Returns a copy of the schemas in `json` whose strings have at most `longest` characters. This
/// bounds random output, which otherwise ends only at a limit.
Json with_short_texts(Json json, long long longest);

// JSON values, as JSON Schema compares them.

/// Returns true if the values are equal: 1 is 1.0, and the order of members is irrelevant. Recurses
/// as deep as the shallower of the two.
bool same_json(const Json& a, const Json& b);

/// Returns true if no two items of an array are equal. O(n log n) in its bytes.
bool are_unique(const Json& array);

/// Returns true if a number is in the range. Numbers with more digits than a Decimal supports are
/// compared as doubles.
bool within(const Json& number, const NumberRange& range);

}  // namespace pedro
