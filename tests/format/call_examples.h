#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "format/call_part.h"

namespace pedro {

/// Returns the bytes of a file in tests/data. Fails the test if the file does not exist.
std::string read_example(const std::filesystem::path& path);

/// Converts parts to the JSON of the files in tests/data/calls: {"tool", "args", "id"} or
/// {"rejected", "place", "expected", "found"}.
Json in_json(const CallPart& part);
Json in_json(const std::vector<CallPart>& parts);

}  // namespace pedro
