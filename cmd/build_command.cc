#include "build_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/build_run.h"
#include "agent/tool_set.h"
#include "agent_flags.h"
#include "agent_job.h"
#include "base/json.h"
#include "base/utf8.h"
#include "build_job.h"
#include "build_setup.h"
#include "command.h"
#include "model_factory.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

// Never asked: -dry-run only renders.
struct NoModel : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    return Error{ErrorKind::kInternal, "a dry run does not generate"};
  }
  void begin_anew() override {}
};

Json tool_json_of(const DeclaredTool& tool) {
  const Result<Json> parameters = parse_json(tool.parameters);
  return {{"name", tool.name},
          {"description", tool.description},
          {"parameters", parameters ? *parameters : Json()}};
}

Json dry_run_json(const BuildSetup& setup, const ChatRequest& prompt) {
  Json json = {{"type", "dry_run"},           {"task", setup.task.title},
               {"base", setup.settings.base}, {"branch", setup.settings.branch},
               {"checks", Json::array()},     {"phases", Json::array()},
               {"tools", Json::array()},      {"prompt", Json::array()}};
  for (const Check& check : setup.checks) {
    json["checks"].push_back({{"command", check.command}, {"from", check.source}});
  }
  for (const Phase& phase : setup.kit.workflow.phases) {
    json["phases"].push_back({{"name", phase.name}, {"max_rounds", phase.max_rounds}});
  }
  for (const DeclaredTool& tool : prompt.tools) json["tools"].push_back(tool_json_of(tool));
  for (const ChatMessage& turn : prompt.messages) {
    json["prompt"].push_back({{"role", to_string(turn.role)}, {"text", text_of(turn)}});
  }
  return json;
}

std::string dry_run_text(const BuildSetup& setup, const ChatRequest& prompt) {
  std::string text =
      fmt::format("task: {}\nbase: {}\nbranch: {}\n", setup.task.title, setup.settings.base,
                  setup.settings.branch.empty() ? "(none)" : setup.settings.branch);
  for (const Check& check : setup.checks) {
    text += fmt::format("check: {} (from {})\n", check.command, check.source);
  }
  for (const Phase& phase : setup.kit.workflow.phases) {
    text += fmt::format("phase: {}, at most {} rounds\n", phase.name, phase.max_rounds);
  }
  if (!prompt.tools.empty()) text += "\n--- tools, declared in front\n";
  for (const DeclaredTool& tool : prompt.tools) text += to_line(tool_json_of(tool)) + "\n";
  for (const ChatMessage& turn : prompt.messages) {
    text += fmt::format("\n--- {}\n{}\n", to_string(turn.role), text_of(turn));
  }
  return text;
}

Result<int> dry_run(CommandContext& context, BuildSetup& setup) {
  Progress progress = make_progress(context, setup.config.config);
  CheckedTree tree = checked_tree(setup, context.processes, progress);
  NoteStore notes(context.files, "");
  ToolContext tools{setup.tree,          context.processes, context.processes,     notes,
                    context.environment, context.cancel,    setup.secrets->mask(), &setup.checks};
  NoModel model;
  const ModelInfo info = model_by_format(setup.config);
  const ExecutorParts parts{
      model,    info,        setup.kit.registry, tools,         setup.kit.feedback,
      progress, setup.trace, context.clock,      context.cancel};
  Executor executor(parts, {});
  BuildRun run(setup.kit.workflow, setup.task, setup.settings, setup.repository, tree, executor,
               parts);
  Result<std::vector<ChatMessage>> messages = run.first_prompt();
  if (!messages) return messages.error();
  ChatRequest prompt;
  prompt.messages = *std::move(messages);
  if (info.has_tools) {
    prompt.tools = declared_tools(setup.kit.registry, setup.kit.workflow, setup.kit.feedback);
  }
  print(context.global.json ? to_line(dry_run_json(setup, prompt)) + "\n"
                            : make_printable(dry_run_text(setup, prompt)));
  return kExitDone;
}

Result<int> run_build(CommandContext& context, const BuildOptions& options) {
  Result<AgentProject> project = open_build_project(context, options);
  if (!project) return project.error();
  Result<ModelRegistry> registry = registry_of(project->config);
  if (!registry) return registry.error();
  ServerConnections connections(context, *std::move(registry));
  Result<BuildSetup> setup = prepare_build(context, options, *std::move(project), connections.http);
  if (!setup) return setup.error();
  if (options.dry_run) return dry_run(context, *setup);
  return run_build_job(context, *setup, options, connections);
}

}  // namespace

int run_build_command(CommandContext& context, const BuildOptions& options) {
  context.global.allow_net = options.allow_net;
  return run_agent(context, options, [&] { return run_build(context, options); });
}

CommandFunction add_build_command(CLI::App& command) {
  auto options = std::make_shared<BuildOptions>();
  options->agent = "build";
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--description", options->description, "What to do, instead of or besides it");
  command.add_option("--file", options->file, "A file that says what to do, or -");
  add_build_flags(command, *options);
  return [options](CommandContext& context) { return run_build_command(context, *options); };
}

}  // namespace pedro
