#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "grammar/loose_ends.h"

namespace pedro {

/// Something that a schema says and a grammar does not hold to.
struct SchemaGap {
  std::string place;  ///< "/properties/text", or "file.write: /properties/text"
  std::string keyword;
  std::string instead;  ///< what the grammar allows: "any length"; or why it is not looked at
  bool looked_at = true;
};

/// Those that the converter reports, then those that parse_schema did; `label` stands before the
/// places of the latter ("file.write: ").
void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Loosened> loosened);
void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Unchecked> unchecked,
              const std::string& label = "");

/// "/properties/text: maxLength: the grammar allows any length".
std::string to_text(const SchemaGap& gap);

/// A list of {"pointer", "keyword", "instead"}, or "not_looked_at" for the last one.
Json to_json(std::span<const SchemaGap> gaps);

}  // namespace pedro
