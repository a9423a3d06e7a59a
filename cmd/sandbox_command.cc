#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/text.h"
#include "command.h"
#include "sandbox_setup.h"

namespace pedro {
namespace {

constexpr double kTimeout_s = 86400;
constexpr std::size_t kMaxOutputBytes = 16u << 20;

constexpr const char* kSandboxFooter =
    "Without a command: shows the active level and what is not confined.\n"
    "The command's output is shown when it has ended, without control characters; the exit code\n"
    "is the command's. docs/sandbox.md describes the confinement and its exceptions.\n";

void show(const ProcessResult& result) {
  print(result.out);
  std::fwrite(result.err.data(), 1, result.err.size(), stderr);
  for (const std::string& note : result.notes) print_error("sandbox: " + note);
  if (result.left_children)
    print_error("sandbox: the command left processes running; they were killed");
  if (result.timed_out)
    print_error(fmt::format("sandbox: the command was killed after {:g} s", kTimeout_s));
}

Result<int> run(CommandContext& context, const std::vector<std::string>& words) {
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  Config settings = config.config;
  settings.limits.idle_seconds = 0;  // the user can end the command
  PEDRO_TRY(Sandbox sandbox, open_sandbox(context, settings, config.project_folder));
  if (words.empty()) {
    print(sandbox_text(sandbox) + "\n");
    return kExitDone;
  }
  print_note(context.global, sandbox_text(sandbox));
  Command command;
  command.argv = words;
  const Result<std::string> folder = context.files.canonical(".");
  if (folder) command.folder = *folder;
  command.timeout_s = kTimeout_s;
  command.max_output_bytes = kMaxOutputBytes;
  SandboxRunner sandboxed(sandbox);
  PEDRO_TRY(NetworkCommands commands, commands_in(sandboxed, settings));
  PEDRO_TRY(const ProcessResult result, commands.run(command, context.cancel));
  show(result);
  return result.exit_code;
}

}  // namespace

CommandFunction add_sandbox_command(CLI::App& command) {
  auto words = std::make_shared<std::vector<std::string>>();
  auto allow_net = std::make_shared<bool>(false);
  command.add_option("command", *words, "The command, after --");
  command.add_flag("--allow-net", *allow_net, "Let the command use the network");
  command.footer(kSandboxFooter);
  return [words, allow_net](CommandContext& context) {
    context.global.allow_net = *allow_net;
    return exit_code(run(context, *words), context.cancel);
  };
}

}  // namespace pedro
