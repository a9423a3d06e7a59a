#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// A type of JSON Schema and the keywords that are understood next to it.
struct SchemaType {
  std::string_view name;    ///< "string"
  std::string_view phrase;  ///< "a string"
  std::vector<std::string> keywords;
};

/// All seven.
const std::vector<SchemaType>& schema_types();

/// True where `value` is of that type; 3.0 is an integer (as drafts 6 and later have it).
bool has_type(const Json& value, std::string_view type);

/// An error at `pointer` in a schema document; "/" stands for the document itself.
Error schema_error(std::string_view pointer, std::string_view text);

/// Refuses members of `schema` that are neither in `keywords` nor annotations; tells what JSON
/// Schema has but this program does not from what is misspelt. `taker` is what takes them:
/// "a string".
Status check_keywords(const Json& schema, std::string_view pointer, std::string_view taker,
                      const std::vector<std::string>& keywords);

}  // namespace pedro
