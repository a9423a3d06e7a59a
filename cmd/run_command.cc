#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "agent_flags.h"
#include "agent_setup.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "job/answer_log.h"
#include "prompts/user_command.h"
#include "sys/work_tree.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxWorkflowBytes = 64 * 1024;

struct RunOptions : BuildOptions {
  std::string name;
  std::vector<std::string> arguments;
};

// Returns the folder with `.pedro`.
Result<std::string> project_root(CommandContext& context, const TaskOptions& options) {
  PEDRO_TRY(const LoadedConfig config, open_agent_project(context, options.workdir));
  return overrides_root(context, config, options.workdir);
}

Result<std::vector<UserCommand>> commands_of(const CommandContext& context,
                                             const std::string& root) {
  const std::string own = context.environment.config_folder();
  return read_user_commands(
      context.files,
      {join_path(root, ".pedro/command"), own.empty() ? "" : join_path(own, "command")},
      [&](const std::string& text) { print_note(context.global, "pedrocli: warning: " + text); });
}

// Expands a command with its arguments and the files that it names.
Result<std::string> text_of_command(CommandContext& context, const std::string& root,
                                    const UserCommand& command, const RunOptions& options) {
  PEDRO_TRY(const WorkTree tree, WorkTree::open(context.files, root));
  const auto read = [&](const std::string& path) -> Result<std::string> {
    const Result<std::string> full = tree.resolve(path);
    if (!full) return usage_error("@" + path + ": " + full.error().message);
    Result<std::string> text = context.files.read(*full, kMaxWorkflowBytes);
    if (!text) return usage_error("@" + path + ": " + text.error().message);
    return make_printable(*text);
  };
  return expand(command, options.arguments, read);
}

// An agent, and the command that names it, if any.
struct ChosenAgent {
  std::string name;
  std::optional<UserCommand> command;
};

Result<ChosenAgent> choose_agent(CommandContext& context, const std::string& root,
                                 const std::string& name) {
  PEDRO_TRY(const std::vector<UserCommand> commands, commands_of(context, root));
  std::vector<std::string> names;
  const std::string wanted = name.starts_with('/') ? name.substr(1) : name;
  for (const UserCommand& command : commands) {
    names.push_back("/" + command.name);
  }
  PEDRO_TRY(const PromptLibrary library, open_prompts(context, root));
  const std::vector<std::string> agents = agent_names(library);
  for (const UserCommand& command : commands) {
    if (command.name != wanted) continue;
    if (std::find(agents.begin(), agents.end(), command.agent) == agents.end()) {
      return config_error(fmt::format("{}: agent: no '{}'{}; there are: {}", command.place,
                                      command.agent, did_you_mean(command.agent, agents),
                                      join(agents, ", ")));
    }
    return ChosenAgent{command.agent, command};
  }
  names.insert(names.end(), agents.begin(), agents.end());
  const bool is_command = name.starts_with('/');
  if (is_command || std::find(names.begin(), names.end(), name) == names.end()) {
    return usage_error(fmt::format("no agent or command '{}'{}; there are: {}", name,
                                   did_you_mean(name, names), join(names, ", ")));
  }
  return ChosenAgent{name, std::nullopt};
}

// Returns the stored agent of a resumed job. Later changes of its command have no effect.
Result<ChosenAgent> agent_of_job(const CommandContext& context) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const Json start,
            AnswerLog::read_start(context.files, store.folder(context.global.resume)));
  return ChosenAgent{text_of(start, "agent"), std::nullopt};
}

Result<bool> agent_writes(CommandContext& context, const std::string& root,
                          const std::string& agent) {
  PEDRO_TRY(const Registry registry, open_tools(context, root));
  PEDRO_TRY(const PromptLibrary library, open_prompts(context, root));
  PEDRO_TRY(const Workflow workflow, load_workflow(library, registry, agent));
  return writes(workflow);
}

// Rejects flags of agents that write.
Status check_reading(const RunOptions& options) {
  const std::pair<const char*, bool> flags[] = {
      {"-push", options.push},
      {"-branch", !options.branch.empty()},
      {"-base", !options.base.empty()},
      {"-test-cmd", !options.test_cmd.empty()},
      {"-no-commit", options.no_commit},
      {"-worktree", options.worktree},
      {"-allow-dirty", options.allow_dirty},
      {"-allow-net", options.allow_net},
  };
  for (const auto& [flag, given] : flags) {
    if (given) return usage_error(fmt::format("{}: {} changes nothing", flag, options.agent));
  }
  return {};
}

Result<int> run(CommandContext& context, const RunOptions& given) {
  RunOptions options = given;
  PEDRO_TRY(const std::string root, project_root(context, options));
  PEDRO_TRY(const ChosenAgent chosen, context.global.resume.empty()
                                          ? choose_agent(context, root, options.name)
                                          : agent_of_job(context));
  options.agent = chosen.name;
  const bool is_post =
      options.agent == "blog" && (chosen.command || !context.global.resume.empty());
  for (const char* own : {"review", "blog"}) {
    if (options.agent != own || is_post) continue;
    return usage_error(
        fmt::format("'{}' takes other arguments: see `pedrocli {} -help`", own, own));
  }
  PEDRO_TRY(const bool writing, agent_writes(context, root, options.agent));
  if (!writing) {
    PEDRO_RETURN_IF_ERROR(check_reading(options));
  }
  std::string text = join(options.arguments, " ");
  const bool has_task = writing && !options.resume.empty();
  if (chosen.command && !has_task) {
    PEDRO_TRY(text, text_of_command(context, root, *chosen.command, options));
  }
  if (!text.empty()) {
    options.description = text + (options.description.empty() ? "" : "\n\n" + options.description);
  }
  if (writing) return run_build_command(context, options);
  ReadOptions reading;
  static_cast<TaskOptions&>(reading) = options;
  reading.resume = options.resume;
  if (is_post) return write_post_from(context, reading, options.description);
  return run_read_command(context, reading);
}

Result<int> list_commands(CommandContext& context) {
  PEDRO_TRY(const std::string root, project_root(context, {}));
  PEDRO_TRY(const std::vector<UserCommand> commands, commands_of(context, root));
  for (const UserCommand& command : commands) {
    const Json json = {{"name", command.name},
                       {"agent", command.agent},
                       {"description", command.description},
                       {"file", command.place}};
    print(context.global.json ? to_line(json) + "\n"
                              : make_printable(fmt::format("/{:<16} {:<8} {}\n", command.name,
                                                           command.agent, command.description)));
  }
  if (commands.empty()) print_note(context.global, "no commands; put some in .pedro/command/");
  return kExitDone;
}

}  // namespace

CommandFunction add_run_command(CLI::App& command) {
  auto options = std::make_shared<RunOptions>();
  command.add_option("name", options->name, "An agent, or a command with or without its /")
      ->required();
  command.add_option("arguments", options->arguments, "Its arguments");
  command.add_option("--description", options->description, "The task, besides the arguments");
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--file", options->file, "A file that describes the task, or -");
  command.add_option("--logs", options->logs, "A related log; may be repeated")
      ->allow_extra_args(false);
  add_build_flags(command, *options);
  return running(run, options);
}

CommandFunction add_commands_command(CLI::App&) {
  return running(list_commands);
}

}  // namespace pedro
