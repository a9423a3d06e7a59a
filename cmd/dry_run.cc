#include "dry_run.h"

#include <fmt/format.h>

#include "agent/tool_set.h"
#include "base/json.h"
#include "base/utf8.h"
#include "tokenizer/model_tokenizer.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

Json tool_json_of(const DeclaredTool& tool) {
  const Result<Json> parameters = parse_json(tool.parameters);
  return {{"name", tool.name},
          {"description", tool.description},
          {"parameters", parameters ? *parameters : Json()}};
}

/// The size of a prompt without the tokens of the model's format.
struct PromptSize {
  long long tokens = 0;  ///< 0: unknown
  std::string by;        ///< name of the vocabulary
  std::optional<double> dollars;
};

PromptSize size_of(const CommandContext& context, const LoadedConfig& config,
                   const ChatRequest& prompt) {
  PromptSize size;
  const std::string& name = config.config.model.model_name;
  const Result<ModelRegistry> registry = registry_of(config);
  if (name.empty() || !registry) return size;
  VocabularyStore store(context.files, vocabulary_folders(context), *registry);
  const auto tokenizer = counting_tokenizer(name, *registry, store);
  if (!tokenizer) return size;
  std::vector<std::string> texts;
  for (const ChatMessage& turn : prompt.messages) texts.push_back(text_of(turn));
  for (const DeclaredTool& tool : prompt.tools) texts.push_back(to_line(tool_json_of(tool)));
  for (const std::string& text : texts) {
    const Result<std::size_t> count = (*tokenizer)->count(text);
    if (count) size.tokens += static_cast<long long>(*count);
  }
  size.by = (*tokenizer)->provider_name();
  const KnownModel* row = registry->model(name);
  if (row != nullptr && row->price_in) {
    size.dollars = static_cast<double>(size.tokens) * *row->price_in / 1e6;
  }
  return size;
}

std::string to_text(const PromptSize& size) {
  if (size.tokens == 0) return "";
  const std::string cost = size.dollars ? fmt::format(", ${:.2g}", *size.dollars) : "";
  return fmt::format("first prompt: \u2248{} tokens by {}{}\n", size.tokens, size.by, cost);
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

std::string to_text(const Workflow& workflow, const DryRun& run, const ChatRequest& prompt,
                    const PromptSize& size) {
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
  text += to_text(size);
  if (!prompt.tools.empty()) text += "\n--- tools, declared first\n";
  for (const DeclaredTool& tool : prompt.tools) text += to_line(tool_json_of(tool)) + "\n";
  for (const ChatMessage& turn : prompt.messages) {
    text += fmt::format("\n--- {}\n{}\n", to_string(turn.role), text_of(turn));
  }
  return text;
}

}  // namespace

void print_dry_run(const CommandContext& context, const LoadedConfig& config, const AgentKit& kit,
                   const ModelInfo& info, const DryRun& run,
                   std::vector<ChatMessage> first_prompt) {
  ChatRequest prompt;
  prompt.messages = std::move(first_prompt);
  if (info.has_tools)
    prompt.tools = declared_tools(kit.registry, kit.workflow, kit.feedback, end_schema_of(info));
  const PromptSize size = size_of(context, config, prompt);
  if (!context.global.json) {
    return print(make_printable(to_text(kit.workflow, run, prompt, size)));
  }
  Json json = to_json(kit.workflow, run, prompt);
  if (size.tokens > 0) json["prompt_tokens"] = size.tokens;
  if (size.dollars) json["prompt_dollars"] = *size.dollars;
  print_json(json);
}

}  // namespace pedro
