#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "format/format_family.h"

namespace pedro {

/// The rows of a file of tests/data/format: {"templates": [{"name", …}, …]}.
Json rows_of(const std::string& file, const std::string& list);

/// The one of them that is called so. Ends the program with exit code 2 where there is none.
Json row_named(const Json& rows, const std::string& name);

/// The bytes of a file; nothing where it cannot be read.
std::string read_bytes(const std::string& path);

/// A family's control tokens and tags, as make_model takes them.
std::vector<std::string> tokens_for_model(const FormatFamily& family);

/// The same of a row of templates.json: its own "tokens", and its family's.
std::vector<std::string> tokens_for_model(const Json& row);

/// The template in `file` with the row's "edits". Ends the program with exit code 1 where one of
/// them finds nothing to edit.
std::string edited_template(const Json& row, const std::string& file);

}  // namespace pedro
