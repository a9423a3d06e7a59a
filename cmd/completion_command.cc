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
  std::vector<CompletedCommand> commands;
};

void add_flags(const CLI::App& app, std::vector<std::string>& flags) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("-" + name);
  }
}

// `program` has the global flags.
std::vector<CompletedCommand> commands_of(const CLI::App& parent, const CLI::App& program) {
  std::vector<CompletedCommand> commands;
  for (const CLI::App* app : parent.get_subcommands([](const CLI::App*) { return true; })) {
    CompletedCommand command{app->get_name(), app->get_description(), {}, {}};
    add_flags(*app, command.flags);
    add_flags(program, command.flags);
    command.commands = commands_of(*app, program);
    commands.push_back(std::move(command));
  }
  return commands;
}

std::string names_of(const std::vector<CompletedCommand>& commands) {
  std::vector<std::string> names;
  for (const CompletedCommand& command : commands) names.push_back(command.name);
  return join(names, " ");
}

// Returns one case per command, keyed by the words before the completed one. Longer paths precede
// shorter ones.
std::string bash_cases(const std::vector<CompletedCommand>& commands, const std::string& path) {
  std::string cases;
  for (const CompletedCommand& command : commands) {
    cases += bash_cases(command.commands, path + command.name + " ");
    cases += fmt::format("    \"{}{} \"*) words=\"{}{}{}\" ;;\n", path, command.name,
                         names_of(command.commands), command.commands.empty() ? "" : " ",
                         join(command.flags, " "));
  }
  return cases;
}

std::string bash(const std::vector<CompletedCommand>& commands) {
  return fmt::format(
      "_pedrocli() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{}\" before=\"\" i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do before+=\"${{COMP_WORDS[i]}} \"; done\n"
      "  case \"$before\" in\n{}  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -o default -F _pedrocli pedrocli\n",
      names_of(commands), bash_cases(commands, ""));
}

std::string zsh(const std::vector<CompletedCommand>& commands) {
  return "#compdef pedrocli\nautoload -U +X bashcompinit && bashcompinit\n" + bash(commands);
}

// `where`: the condition for completing these commands. `below`: the condition for completing the
// words of a command, which is appended.
std::string fish_lines(const std::vector<CompletedCommand>& commands, const std::string& where,
                       const std::string& below) {
  std::string text;
  for (const CompletedCommand& command : commands) {
    text += fmt::format("complete -c pedrocli -n '{}' -a {} -d '{}'\n", where, command.name,
                        replace_all(command.help, "'", "\\'"));
    const std::string here = fmt::format("{}__fish_seen_subcommand_from {}", below, command.name);
    for (const std::string& flag : command.flags) {
      text += fmt::format("complete -c pedrocli -n '{}' -o {}\n", here, flag.substr(1));
    }
    text += fish_lines(
        command.commands,
        fmt::format("{}; and not __fish_seen_subcommand_from {}", here, names_of(command.commands)),
        here + "; and ");
  }
  return text;
}

std::string fish(const std::vector<CompletedCommand>& commands) {
  return fish_lines(commands, "__fish_use_subcommand", "");
}

}  // namespace

CommandFunction add_completion_command(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  const CLI::App* program = command.get_parent();
  return [shell, program](CommandContext&) {
    const std::vector<CompletedCommand> commands = commands_of(*program, *program);
    print(*shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
    return static_cast<int>(kExitDone);
  };
}

}  // namespace pedro
