#include "agent/project_summary.h"

#include <fmt/format.h>

namespace pedro {

std::string project_summary(const WorkTree& tree, const std::vector<Check>& checks) {
  constexpr std::size_t kMaxEntries = 60;
  std::string text = "Files:";
  const auto entries = tree.files().list(tree.root());
  std::size_t shown = 0;
  if (entries) {
    for (const FolderEntry& entry : *entries) {
      if (entry.name == ".git") continue;
      if (++shown > kMaxEntries) break;
      text += fmt::format(" {}{}", entry.name, entry.kind == FileKind::kFolder ? "/" : "");
    }
    if (shown > kMaxEntries) text += " ...";
  }
  text += "\nChecks:";
  for (const Check& check : checks) text += fmt::format(" `{}`", check.command);
  if (checks.empty()) text += " none found";
  return text;
}

}  // namespace pedro
