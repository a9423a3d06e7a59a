#include "agent/logged_tools.h"

#include "agent/answers.h"

namespace pedro {

Result<ToolResult> LoggedTools::run(const ToolCall& call, std::size_t allowance_bytes) {
  NoteStore& notes = context_.notes;
  PEDRO_TRY(const std::optional<Json> earlier, answers_.next(Question::kTool));
  if (earlier) {
    for (const NoteStore::Kept& kept : kept_from(*earlier)) {
      PEDRO_RETURN_IF_ERROR(notes.restore(kept));
    }
    return tool_result_from(*earlier);
  }
  (void)notes.take_new();  // discards texts of removed messages
  Result<ToolResult> result = run_with_hooks(call, allowance_bytes);
  if (!result) return result;
  PEDRO_RETURN_IF_ERROR(answers_.add(Question::kTool, to_json(*result, notes.take_new())));
  return result;
}

Result<ToolResult> LoggedTools::run_with_hooks(const ToolCall& call, std::size_t allowance_bytes) {
  if (hooks_ == nullptr) return run_tool(call, allowance_bytes);
  PEDRO_TRY(std::optional<ToolResult> refused, hooks_->before_call(call, registry_));
  if (refused) return *std::move(refused);
  Result<ToolResult> result = run_tool(call, allowance_bytes);
  if (!result) return result;
  const Status heard = hooks_->after_call(call, registry_, *result);
  return heard ? std::move(result) : heard.error();
}

Result<ToolResult> LoggedTools::run_tool(const ToolCall& call, std::size_t allowance_bytes) {
  // The checks judge an answer, and there may be hundreds.
  const bool is_checked = diagnostics_ != nullptr && !call.by_harness;
  if (!is_checked) return registry_.run(call, allowance_bytes, context_);
  const auto before = diagnostics_->before_call(call, registry_, context_);
  Result<ToolResult> result = registry_.run(call, allowance_bytes, context_);
  if (!result || !before) return result;
  const Status added = diagnostics_->after_call(*before, context_, *result);
  return added ? std::move(result) : added.error();
}

}  // namespace pedro
