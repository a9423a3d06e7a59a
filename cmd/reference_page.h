#pragma once

#include <string>

#include "command_page.h"

namespace pedro {

/// A generated page of docs/reference, in Markdown with lines of at most 120 columns.
struct ReferencePage {
  std::string name;  ///< "commands.md"
  std::string text;
};

/// Writes all reference pages: commands, settings, exit codes and events of the journal.
std::vector<ReferencePage> reference_pages(const CommandPage& program);

}  // namespace pedro
