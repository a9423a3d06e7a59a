#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grammar/gbnf.h"
#include "grammar/schema_to_gbnf.h"

namespace pedro {

/// A folder of tests/data/schema (see the README there): a schema, and texts that its grammar and
/// the validator have an opinion about.
struct SchemaCase {
  std::string name;
  std::filesystem::path folder;
  Schema schema;
  std::vector<std::string> accept;  ///< matched and valid
  std::vector<std::string> reject;  ///< neither
  std::vector<std::string> valid;   ///< valid, but not written in a way that the grammar has
  std::vector<std::string> loose;   ///< matched, but not valid
};

/// All of them, in the order of their names.
const std::vector<SchemaCase>& schema_cases();

/// The grammar of a schema alone.
Gbnf grammar_of(const Schema& schema, std::vector<Loosened>& loosened);

/// Checks `text` against the file, or writes it where PEDROCLI_UPDATE_GOLDEN is set.
void check_golden(const std::filesystem::path& file, const std::string& text);

}  // namespace pedro
