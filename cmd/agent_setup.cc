#include "agent_setup.h"

#include <fmt/format.h>

#include "agent/tool_steering.h"
#include "context_setup.h"
#include "diagnostics/file_check.h"
#include "git/repository.h"
#include "hooks/hook.h"
#include "llm/bias_settings.h"
#include "policy_setup.h"
#include "prompts/project_rules.h"
#include "skill_setup.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxRulesBytes = 8 * 1024;

Status check_bias(const LoadedConfig& config) {
  const auto read = read_biases(config.config.model.logit_bias, "");
  if (read) return {};
  return read.error().at(config.origin_of("model.logit_bias").place + ": model");
}

// Checks the settings whose members the table of keys does not know, except tool_bias.
Status check_nested(const LoadedConfig& config) {
  PEDRO_RETURN_IF_ERROR(check_bias(config));
  PEDRO_RETURN_IF_ERROR(context_settings(config));
  PEDRO_RETURN_IF_ERROR(warn_settings(config));
  PEDRO_RETURN_IF_ERROR(read_policy(config));
  PEDRO_RETURN_IF_ERROR(registry_of(config));
  PEDRO_RETURN_IF_ERROR(read_hooks(config.origin_of("hooks").place, config.config.hooks));
  PEDRO_RETURN_IF_ERROR(diagnostics::read_file_checks(config.origin_of("diagnostics.on_edit").place,
                                                      config.config.diagnostics.on_edit));
  return {};
}

Result<ToolPreferences> read_preferences(const LoadedConfig& config, const Registry& registry) {
  auto preferences = read_tool_preferences(config.config.model.tool_bias, registry);
  if (preferences) return preferences;
  return preferences.error().at(config.origin_of("model.tool_bias").place + ": model");
}

// Removes blocked tools from the phases. Returns the biases of the other tools.
Result<std::vector<ToolBias>> prefer_tools(const LoadedConfig& config, const Registry& registry,
                                           Workflow& workflow) {
  PEDRO_TRY(auto preferences, read_preferences(config, registry));
  block_tools(workflow, preferences.blocked);
  return std::move(preferences.biases);
}

}  // namespace

Status check_record(const CommandContext& context, const std::string& root) {
  const GlobalOptions& global = context.global;
  if (global.record.empty()) return {};
  const Result<std::string> folder =
      context.files.canonical(std::string(folder_name(global.record)));
  if (!folder) return usage_error("-record " + folder.error().message);
  if (is_below(*folder, root)) {
    return usage_error("-record " + global.record + ": choose a place outside the project");
  }
  const FileInfo there = context.files.link_info(global.record);
  if (there.kind == FileKind::kMissing) return {};
  if (there.kind != FileKind::kFile)
    return usage_error("-record " + global.record + ": is not a file");
  const Result<std::string> real = context.files.canonical(global.record);
  const Result<std::string> replayed = context.files.canonical(global.replay);
  if (real && replayed && *real == *replayed) {
    return usage_error("-record and -replay name the same file");
  }
  if (there.bytes == 0) return {};
  const Result<std::string> old = context.files.read(global.record, 256u << 20);
  if (old && old->starts_with(R"({"type":"recording")")) return {};
  return usage_error("-record " + global.record + ": exists, but is not a recording");
}

Result<std::string> overrides_root(CommandContext& context, const LoadedConfig& config,
                                   const std::string& workdir) {
  PEDRO_TRY(const std::string work, work_folder(context, config, workdir));
  const Result<Repository> repository =
      Repository::open(context.files, context.processes, context.cancel, work);
  return repository ? repository->root() : work;
}

Result<Registry> open_tools(const CommandContext& context, const std::string& root) {
  return Registry::open(context.files, join_path(root, ".pedro/tools"));
}

Result<PromptLibrary> open_prompts(const CommandContext& context, const std::string& root) {
  return PromptLibrary::open(context.files, join_path(root, ".pedro/prompts"),
                             join_path(root, ".pedro/agents"));
}

Result<AgentKit> load_agent(CommandContext& context, const LoadedConfig& config,
                            const std::string& root, const TaskOptions& options) {
  PEDRO_TRY(Registry registry, open_tools(context, root));
  PEDRO_TRY(const PromptLibrary library, open_prompts(context, root));
  PEDRO_TRY(Workflow workflow, load_workflow(library, registry, options.agent));
  PEDRO_TRY(auto servers, add_mcp_tools(context, config, root, registry, workflow));
  std::vector<std::string> skill_folders = add_skills(context, config, root, registry, workflow);
  PEDRO_TRY(auto tool_bias, prefer_tools(config, registry, workflow));
  PEDRO_TRY(Feedback feedback, Feedback::load(library));
  const Result<std::string> nearest =
      context.files.canonical(options.workdir.empty() ? "." : options.workdir);
  return AgentKit{std::move(registry),
                  std::move(workflow),
                  std::move(feedback),
                  std::move(tool_bias),
                  project_rules(context.files, root, nearest ? *nearest : root, kMaxRulesBytes),
                  std::move(servers),
                  std::move(skill_folders)};
}

Status check_settings(CommandContext& context, const LoadedConfig& config) {
  PEDRO_RETURN_IF_ERROR(check_nested(config));
  if (config.config.model.tool_bias.empty()) return {};
  PEDRO_TRY(const std::string root, overrides_root(context, config));
  PEDRO_TRY(const Registry registry, open_tools(context, root));
  PEDRO_RETURN_IF_ERROR(read_preferences(config, registry));
  return {};
}

Result<LoadedConfig> open_agent_project(CommandContext& context, const std::string& workdir) {
  PEDRO_TRY(LoadedConfig config, load_project_config(context, workdir));
  PEDRO_RETURN_IF_ERROR(check_nested(config));
  return config;
}

}  // namespace pedro
