#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "command.h"

namespace pedro {
namespace {

struct CompletedCommand {
  std::string name;
  std::string help;
  std::vector<std::string> flags;
};

void add_flags(const CLI::App& app, std::vector<std::string>& flags) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("-" + name);
  }
}

std::vector<CompletedCommand> commands_of(const CLI::App& program) {
  std::vector<CompletedCommand> commands;
  for (const CLI::App* app : program.get_subcommands([](const CLI::App*) { return true; })) {
    CompletedCommand command{app->get_name(), app->get_description(), {}};
    add_flags(*app, command.flags);
    add_flags(program, command.flags);
    commands.push_back(std::move(command));
  }
  return commands;
}

std::string bash(const std::vector<CompletedCommand>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const CompletedCommand& command : commands) {
    names.push_back(command.name);
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name, join(command.flags, " "));
  }
  return fmt::format(
      "_pedrocli() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{}\"\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ]; then\n"
      "    case \"${{COMP_WORDS[1]}}\" in\n{}    esac\n"
      "  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -o default -F _pedrocli pedrocli\n",
      join(names, " "), cases);
}

std::string zsh(const std::vector<CompletedCommand>& commands) {
  return "#compdef pedrocli\nautoload -U +X bashcompinit && bashcompinit\n" + bash(commands);
}

std::string fish(const std::vector<CompletedCommand>& commands) {
  std::string text;
  for (const CompletedCommand& command : commands) {
    text += fmt::format("complete -c pedrocli -n __fish_use_subcommand -a {} -d '{}'\n",
                        command.name, replace_all(command.help, "'", "\\'"));
    for (const std::string& flag : command.flags) {
      text += fmt::format("complete -c pedrocli -n '__fish_seen_subcommand_from {}' -o {}\n",
                          command.name, flag.substr(1));
    }
  }
  return text;
}

}  // namespace

CommandFunction add_completion_command(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  const CLI::App* program = command.get_parent();
  return [shell, program](CommandContext&) {
    const std::vector<CompletedCommand> commands = commands_of(*program);
    print(*shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
    return static_cast<int>(kExitDone);
  };
}

}  // namespace pedro
