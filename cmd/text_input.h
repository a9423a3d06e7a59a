#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "command.h"

namespace pedro {

/// The text of an input that the user named on the command line.
struct TextInput {
  std::string name;  ///< for messages: the path, or "standard input"
  std::string text;
};

/// Reads a file, a pipe, or standard input ("-") completely. Errors: kInterrupted; kUsage if the
/// file is missing, unreadable, a folder or larger than `max_bytes`.
Result<TextInput> read_input(const CommandContext& context, const std::string& path,
                             std::uint64_t max_bytes);

}  // namespace pedro
