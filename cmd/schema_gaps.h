#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "json_schema/loose_ends.h"

namespace pedro {

/// A constraint of a schema that the grammar does not enforce.
struct SchemaGap {
  std::string place;  ///< "/properties/text", or "file.write: /properties/text"
  std::string keyword;
  std::string instead;  ///< the allowed text ("any length"), or the reason to ignore it
  bool looked_at = true;
};

/// Adds the gaps that the converter, or parse_schema, reports. `label` precedes the places of the
/// latter ("file.write: ").
void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Loosened> loosened);
void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Unchecked> unchecked,
              const std::string& label = "");

/// Returns "/properties/text: maxLength: the grammar allows any length".
std::string to_text(const SchemaGap& gap);

/// Returns a list of {"pointer", "keyword", "instead"}; "not_looked_at" replaces "instead" for
/// ignored keywords.
Json to_json(std::span<const SchemaGap> gaps);

}  // namespace pedro
