#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gbnf/gbnf.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace pedro {

/// A folder of tests/data/schema (see the README there): a schema, and texts with the expected
/// results of its grammar and the validator.
struct SchemaCase {
  std::string name;
  std::filesystem::path folder;
  Schema schema;
  std::vector<std::string> accept;  ///< matched by the grammar, and valid
  std::vector<std::string> reject;  ///< not matched, and invalid
  std::vector<std::string> valid;   ///< valid, but in a form that the grammar does not produce
  std::vector<std::string> loose;   ///< matched by the grammar, but invalid
};

/// All cases in the order of their names.
const std::vector<SchemaCase>& schema_cases();

/// The grammar of a schema alone.
Gbnf grammar_of(const Schema& schema, std::vector<Loosened>& loosened);

/// Compares `text` with the file, or writes the file if PEDROCLI_UPDATE_GOLDEN is set.
void check_golden(const std::filesystem::path& file, const std::string& text);

}  // namespace pedro
