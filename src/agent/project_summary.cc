#include "agent/project_summary.h"

#include <fmt/format.h>

#include "tools/failing_part.h"

namespace pedro {

std::string project_summary(const WorkTree& tree, const std::vector<Check>& checks,
                            const Feedback& feedback) {
  constexpr std::size_t kMaxEntries = 60;
  std::string names;
  const auto entries = tree.files().list(tree.root());
  std::size_t shown = 0;
  if (entries) {
    for (const FolderEntry& entry : *entries) {
      if (entry.name == ".git") continue;
      if (++shown > kMaxEntries) break;
      names += fmt::format(" {}{}", entry.name, entry.kind == FileKind::kFolder ? "/" : "");
    }
    if (shown > kMaxEntries) names += " ...";
  }
  std::string commands;
  for (const Check& check : checks) commands += fmt::format(" `{}`", check.command);
  if (checks.empty()) commands = " " + feedback.text("none_found");
  return feedback.text("project", {{"files", names}, {"checks", commands}});
}

std::string failures_text(const std::vector<CheckOutcome>& outcomes, std::size_t max_bytes,
                          const Feedback& feedback) {
  std::string text;
  for (const CheckOutcome& outcome : outcomes) {
    if (outcome.passed) continue;
    const std::string output = failing_part(outcome.output, max_bytes);
    text += text.empty() ? "" : "\n\n";
    text += feedback.text("fails_before", {{"command", outcome.check.command}, {"output", output}});
  }
  return text;
}

}  // namespace pedro
