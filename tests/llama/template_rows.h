#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "chat_format/format_family.h"

namespace pedro {

/// Returns the list `list` of a file of tests/data/format: {"templates": [{"name", …}, …]}.
Json rows_of(const std::string& file, const std::string& list);

/// Returns the row with this name. Ends the program with exit code 2 if there is none.
Json row_named(const Json& rows, const std::string& name);

/// Returns a family's control tokens and tags in make_model's notation.
std::vector<std::string> tokens_for_model(const FormatFamily& family);

/// Returns the tokens of a row of templates.json: its own "tokens", and its family's.
std::vector<std::string> tokens_for_model(const Json& row);

/// Returns the template in `file` with the row's "edits". Ends the program with exit code 1 if an
/// edit finds no text to replace.
std::string edited_template(const Json& row, const std::string& file);

}  // namespace pedro
