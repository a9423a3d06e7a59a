#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// A property of a model and the source of its value.
struct ModelFact {
  std::string name;    ///< "window"
  Json value;          ///< null: unknown
  std::string source;  ///< for the user
};

/// Returns the properties in a model's row of the table, without those that the row lacks.
std::vector<ModelFact> facts_of(const KnownModel& row);

/// Returns the properties in one line: "window 128000, vocabulary o200k_base, …".
std::string in_one_line(const std::vector<ModelFact>& facts);

/// Returns a line per property with its source: columns, or JSON with the model's name.
std::string in_lines(const std::vector<ModelFact>& facts);
std::string in_json_lines(const std::string& model, const std::vector<ModelFact>& facts);

}  // namespace pedro
