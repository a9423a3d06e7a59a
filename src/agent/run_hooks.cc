#include "agent/run_hooks.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "secrets/secret_mask.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxResponseBytes = 16u << 10;

std::string_view file_action_name(std::string_view action, Permission permission) {
  if (permission == Permission::kRead) return "Read";
  return action == "write" ? "Write" : "Edit";
}

// Returns the arguments, also under the names that hooks of other agents read.
Json input_of(const ToolCall& call, const std::string& folder) {
  Json input = call.args;
  for (const auto& [ours, theirs] :
       {std::pair("old", "old_string"), std::pair("new", "new_string")}) {
    if (input.contains(ours)) input[theirs] = input[ours];
  }
  const std::string path = text_of(call.args, "path");
  if (!path.empty()) input["file_path"] = normal_path(join_path(folder, path));
  return input;
}

Json fields_of(const ToolCall& given, const Registry& registry, const std::string& folder) {
  const ToolCall call = registry.resolved(given);
  const std::string action = text_of(call.args, "action");
  return {{"tool_name", hook_name_of(call, registry)},
          {"tool_use_id", call.id},
          {"pedrocli_call", action.empty() ? call.tool : call.tool + "." + action},
          {"tool_input", input_of(call, folder)}};
}

}  // namespace

std::string hook_name_of(const ToolCall& given, const Registry& registry) {
  const ToolCall call = registry.resolved(given);
  const Manifest* const tool = registry.find(call.tool);
  const std::string action = text_of(call.args, "action");
  const ActionManifest* const row = tool == nullptr ? nullptr : tool->find(action);
  if (tool != nullptr && !tool->server_tool.empty()) {
    const std::size_t dot = tool->server_tool.find('.');
    return fmt::format("mcp__{}__{}", tool->server_tool.substr(0, dot),
                       tool->server_tool.substr(dot + 1));
  }
  if (call.tool == "bash") return "Bash";
  if (call.tool == "search") return action == "find_files" ? "Glob" : "Grep";
  const bool edits_files = call.tool == "file" || call.tool == "code_edit";
  if (row == nullptr || !edits_files) return call.tool;
  return std::string(file_action_name(action, row->permission));
}

Result<HookAnswer> RunHooks::run(HookEvent event, std::string_view subject, Json fields,
                                 const CancelToken& cancel) {
  if (!runner_.has(event)) return HookAnswer();
  PEDRO_TRY(HookAnswer answer,
            runner_.run(event, subject, masked_json(secrets_, std::move(fields)), cancel,
                        [&](const HookRun& one) { return observer_.on_hook(one); }));
  if (answer.blocked) answer.blocked = masked_text(secrets_, *answer.blocked);
  answer.context = masked_text(secrets_, answer.context);
  return answer;
}

// Returns the answer of an earlier process. The hooks of the user may have changed since.
Result<std::optional<Json>> RunHooks::next_answer() {
  if (!answers_.has_next(Question::kHook)) return std::optional<Json>();
  return answers_.next(Question::kHook);
}

Result<std::string> RunHooks::before_prompt(const std::string& text, Prompt prompt) {
  PEDRO_TRY(const std::optional<Json> earlier, next_answer());
  if (earlier) return text_of(*earlier, "text");
  const bool starts = prompt == Prompt::kTask && runner_.has(HookEvent::kSessionStart);
  if (answers_.catching_up() || (!starts && !runner_.has(HookEvent::kUserPromptSubmit))) {
    return std::string();
  }
  HookAnswer start;
  if (starts) {
    PEDRO_TRY(start, run(HookEvent::kSessionStart, "startup", {{"source", "startup"}}));
  }
  PEDRO_TRY(const HookAnswer submit, run(HookEvent::kUserPromptSubmit, "", {{"prompt", text}}));
  const auto& blocked = start.blocked ? start.blocked : submit.blocked;
  if (blocked) {
    return refusal(fmt::format("a hook blocks the {}: {}",
                               prompt == Prompt::kTask ? "task" : "message", *blocked));
  }
  const bool both = !start.context.empty() && !submit.context.empty();
  std::string more = start.context + (both ? "\n" : "") + submit.context;
  PEDRO_RETURN_IF_ERROR(answers_.add(Question::kHook, {{"text", more}}));
  return more;
}

Result<std::optional<ToolResult>> RunHooks::before_call(const ToolCall& call,
                                                        const Registry& registry) {
  std::optional<ToolResult> refused;
  PEDRO_TRY(const HookAnswer answer, run(HookEvent::kPreToolUse, hook_name_of(call, registry),
                                         fields_of(call, registry, runner_.folder())));
  if (answer.blocked) {
    refused = ToolResult{false, "A hook of the user blocks this call: " + *answer.blocked, {}};
  }
  call_context_ = answer.context;
  return refused;
}

Status RunHooks::after_call(const ToolCall& call, const Registry& registry, ToolResult& result) {
  const std::string context = std::exchange(call_context_, "");
  if (!context.empty()) result.text += "\n" + context;
  if (!runner_.has(HookEvent::kPostToolUse)) return {};
  Json fields = fields_of(call, registry, runner_.folder());
  fields["tool_response"] = {{"ok", result.ok},
                             {"text", cut_middle(result.text, kMaxResponseBytes, "")},
                             {"changed", result.changed}};
  PEDRO_TRY(const HookAnswer answer,
            run(HookEvent::kPostToolUse, hook_name_of(call, registry), std::move(fields)));
  if (answer.blocked) result.text += "\nA hook of the user objects: " + *answer.blocked;
  if (!answer.context.empty()) result.text += "\n" + answer.context;
  return {};
}

Result<std::optional<std::string>> RunHooks::before_end(std::string_view phase,
                                                        const Json& output) {
  std::optional<std::string> reason;
  PEDRO_TRY(const std::optional<Json> earlier, next_answer());
  if (earlier) {
    if (earlier->contains("why")) reason = text_of(*earlier, "why");
  } else if (runner_.has(HookEvent::kStop) && !answers_.catching_up()) {
    PEDRO_TRY(const HookAnswer answer,
              run(HookEvent::kStop, phase,
                  {{"phase", phase}, {"output", output}, {"stop_hook_active", has_blocked_end_}}));
    if (answer.blocked) {
      reason = "A hook of the user does not let the phase end: " + *answer.blocked;
    }
    Json logged = Json::object();
    if (reason) logged["why"] = *reason;
    PEDRO_RETURN_IF_ERROR(answers_.add(Question::kHook, std::move(logged)));
  }
  has_blocked_end_ = reason.has_value();
  return reason;
}

Status RunHooks::notify(HookEvent event, std::string_view subject, Json fields) {
  if (answers_.catching_up()) return {};
  const Result<HookAnswer> answer = run(event, subject, std::move(fields));
  return answer ? Status() : Status(answer.error());
}

void RunHooks::end_session(std::string_view outcome) {
  const CancelToken none;  // that of the job may be set
  (void)run(HookEvent::kSessionEnd, outcome, {{"reason", outcome}}, none);
}

}  // namespace pedro
