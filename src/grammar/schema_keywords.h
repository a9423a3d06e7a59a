#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "grammar/schema.h"

namespace pedro {

/// A word that JSON Schema gives a meaning.
struct SchemaKeyword {
  std::string_view name;
  TypeBits types = kAllTypes;  ///< what it says something about; 0: nothing, an annotation
};

/// A keyword of one of the drafts from 4 to 2020-12, or null.
const SchemaKeyword* find_keyword(std::string_view name);

/// The bits of a type's name ("number" is two of them), or 0 where it is none.
TypeBits type_named(std::string_view name);

/// True where a number has no fraction: 3, 3.0.
bool is_whole(const Json& number);

/// An error at `pointer` in a schema document; "/" stands for the document itself.
Error schema_error(std::string_view pointer, std::string_view text);

/// Refuses members of `schema` that are no keywords, or say nothing about values of `types`.
Status check_keywords(const Json& schema, std::string_view pointer, TypeBits types);

/// "unknown type (did you mean 'string'?); there are object, array, ...".
Error unknown_type(const Json& name, std::string_view pointer);

}  // namespace pedro
