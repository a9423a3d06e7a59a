#pragma once

#include <span>
#include <string_view>

namespace pedro {

/// A row of the exit codes that help, man page and reference page list.
struct ExitCodeText {
  std::string_view code;  ///< "0", "128 + N"
  std::string_view meaning;
};

std::span<const ExitCodeText> exit_code_texts();

}  // namespace pedro
