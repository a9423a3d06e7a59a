#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "grammar/schema_shape.h"

namespace pedro {

/// Something that a schema says and a grammar does not hold to.
struct SchemaGap {
  std::string place;  ///< "/properties/text", or "file.write: /properties/text"
  std::string keyword;
  std::string instead;  ///< "any length"
};

/// Those that the converter reports, then those that parse_schema did; `label` stands before the
/// places of the latter ("file.write: ").
void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Loosened> loosened);
void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Unchecked> unchecked,
              const std::string& label = "");

/// "/properties/text maxLength: any length".
std::string to_text(const SchemaGap& gap);

/// A list of {"pointer", "keyword", "instead"}.
Json to_json(std::span<const SchemaGap> gaps);

}  // namespace pedro
