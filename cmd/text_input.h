#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// What the user named on the command line, and what stands in it.
struct TextInput {
  std::string name;  ///< for messages: the path, or "standard input"
  std::string text;
};

/// Reads a file, a pipe, or with "-" standard input, to its end. Errors are kUsage: missing, a
/// folder, not readable, more than `max_bytes`.
Result<TextInput> read_input(const FileSystem& files, const std::string& path,
                             std::uint64_t max_bytes);

}  // namespace pedro
