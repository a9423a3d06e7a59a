#pragma once

#include <span>
#include <string>
#include <string_view>

#include "command_page.h"

namespace pedro {

/// A shell with programmable completion.
struct CompletionShell {
  std::string_view name;  ///< "bash"
  std::string_view file;  ///< name of an installed script
  std::string (*script)(const CommandPage& program);
};

std::span<const CompletionShell> completion_shells();

}  // namespace pedro
