#include "agent/project_summary.h"

#include <fmt/format.h>

namespace pedro {

std::string project_summary(const CheckedTree& tree) {
  constexpr std::size_t kMaxEntries = 60;
  std::string text = "Files:";
  const auto entries = tree.tree().files().list(tree.tree().root());
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
  for (const Check& check : tree.checks()) text += fmt::format(" `{}`", check.command);
  if (tree.checks().empty()) text += " none found";
  return text;
}

}  // namespace pedro
