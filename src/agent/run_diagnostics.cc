#include "agent/run_diagnostics.h"

#include <algorithm>
#include <utility>

#include "secrets/secret_mask.h"
#include "tools/text_file.h"
#include "tools/tree_path.h"

namespace pedro {

std::optional<RunDiagnostics::Before> RunDiagnostics::before_call(const ToolCall& given,
                                                                  const Registry& registry,
                                                                  const ToolContext& tools) const {
  const ToolCall call = registry.resolved(given);
  const Manifest* const tool = registry.find(call.tool);
  const ActionManifest* const action = tool ? tool->find(text_of(call.args, "action")) : nullptr;
  Before before{text_of(call.args, "path"), std::nullopt};
  if (action == nullptr || action->permission != Permission::kWrite || before.path.empty()) {
    return std::nullopt;
  }
  const Result<TreePath> path = any_path(tools.tree, before.path);
  if (!path) return std::nullopt;
  if (path->info.kind == FileKind::kMissing) return before;
  Result<std::string> text = read_text(tools.tree, *path, kMaxTextBytes);
  if (!text) return std::nullopt;
  before.text = *std::move(text);
  return before;
}

Status RunDiagnostics::after_call(const Before& before, const ToolContext& tools,
                                  ToolResult& result) {
  if (!result.ok || result.changed.empty()) return {};
  const Result<TreePath> path = existing_file(tools.tree, before.path);
  if (!path || std::ranges::find(result.changed, path->shown) == result.changed.end()) return {};
  Result<std::string> text = read_text(tools.tree, *path, kMaxTextBytes);
  if (!text) return {};
  PEDRO_TRY(const std::string report,
            reporter_.report({path->shown, before.text, *std::move(text)}, tools.cancel));
  if (!report.empty()) result.text = masked_text(tools.secrets, report) + "\n" + result.text;
  return {};
}

}  // namespace pedro
