#pragma once

#include <string>
#include <vector>

namespace pedro {

/// A schema and texts: what the grammar made from it and the validator have to say about them.
struct SchemaRow {
  const char* name;
  const char* schema;
  std::vector<std::string> accepted;  ///< by both
  std::vector<std::string> refused;   ///< by both; what is not JSON counts as refused
  /// JSON that fits the schema but is written in a way the grammar does not have.
  std::vector<std::string> only_valid = {};
  /// What the grammar allows although the schema does not: these rows report something loosened.
  std::vector<std::string> only_matched = {};
};

const std::vector<SchemaRow>& schema_rows();

}  // namespace pedro
