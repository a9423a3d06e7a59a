#include "dry_run.h"

#include <fmt/format.h>

#include "agent/tool_set.h"
#include "base/json.h"
#include "base/utf8.h"

namespace pedro {
namespace {

Json tool_json_of(const DeclaredTool& tool) {
  const Result<Json> parameters = parse_json(tool.parameters);
  return {{"name", tool.name},
          {"description", tool.description},
          {"parameters", parameters ? *parameters : Json()}};
}

Json to_json(const Workflow& workflow, const DryRun& run, const ChatRequest& prompt) {
  Json json = {{"type", "dry_run"}, {"agent", workflow.agent}, {"task", run.task}};
  if (writes(workflow)) json.update({{"base", run.base}, {"branch", run.branch}});
  for (const char* list : {"checks", "phases", "tools", "prompt"}) json[list] = Json::array();
  for (const Check& check : run.checks) {
    json["checks"].push_back({{"command", check.command}, {"from", check.source}});
  }
  for (const Phase& phase : workflow.phases) {
    json["phases"].push_back({{"name", phase.name}, {"max_rounds", phase.max_rounds}});
  }
  for (const DeclaredTool& tool : prompt.tools) json["tools"].push_back(tool_json_of(tool));
  for (const ChatMessage& turn : prompt.messages) {
    json["prompt"].push_back({{"role", to_string(turn.role)}, {"text", text_of(turn)}});
  }
  return json;
}

std::string to_text(const Workflow& workflow, const DryRun& run, const ChatRequest& prompt) {
  std::string text = fmt::format("task: {}\n", run.task);
  if (writes(workflow)) {
    text +=
        fmt::format("base: {}\nbranch: {}\n", run.base, run.branch.empty() ? "(none)" : run.branch);
  }
  for (const Check& check : run.checks) {
    text += fmt::format("check: {} (from {})\n", check.command, check.source);
  }
  for (const Phase& phase : workflow.phases) {
    text += fmt::format("phase: {}, at most {} rounds\n", phase.name, phase.max_rounds);
  }
  if (!prompt.tools.empty()) text += "\n--- tools, declared first\n";
  for (const DeclaredTool& tool : prompt.tools) text += to_line(tool_json_of(tool)) + "\n";
  for (const ChatMessage& turn : prompt.messages) {
    text += fmt::format("\n--- {}\n{}\n", to_string(turn.role), text_of(turn));
  }
  return text;
}

}  // namespace

void print_dry_run(const CommandContext& context, const AgentKit& kit, const ModelInfo& info,
                   const DryRun& run, std::vector<ChatMessage> first_prompt) {
  ChatRequest prompt;
  prompt.messages = std::move(first_prompt);
  if (info.has_tools)
    prompt.tools = declared_tools(kit.registry, kit.workflow, kit.feedback, end_schema_of(info));
  print(context.global.json ? to_line(to_json(kit.workflow, run, prompt)) + "\n"
                            : make_printable(to_text(kit.workflow, run, prompt)));
}

}  // namespace pedro
