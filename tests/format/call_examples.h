#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "format/call_part.h"

namespace pedro {

/// The bytes of a file of tests/data; it has to be there.
std::string read_example(const std::filesystem::path& path);

/// Parts as the files of tests/data/calls have them: {"tool", "args", "id"} or {"rejected",
/// "place", "expected", "found"}.
Json in_json(const CallPart& part);
Json in_json(const std::vector<CallPart>& parts);

}  // namespace pedro
