#include "completion_script.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pedro {
namespace {

// Returns the names of the command's flags, with those of every command.
std::vector<std::string> flag_names(const CommandPage& command, const CommandPage& program) {
  std::vector<std::string> names;
  for (const auto* flags : {&command.flags, &program.flags}) {
    for (const FlagText& flag : *flags) {
      names.insert(names.end(), flag.names.begin(), flag.names.end());
    }
  }
  return names;
}

std::string command_names(const CommandPage& page) {
  std::vector<std::string> names;
  for (const CommandPage& command : page.commands) names.push_back(command.last_name());
  return join(names, " ");
}

// Returns one case per command below `page`, keyed by the words before the completed one. Longer
// paths precede shorter ones.
std::string bash_cases(const CommandPage& page, const CommandPage& program) {
  std::string cases;
  for (const CommandPage& command : page.commands) {
    cases += bash_cases(command, program);
    cases +=
        fmt::format("    \"{} \"*) words=\"{}{}{}\" ;;\n", command.path, command_names(command),
                    command.commands.empty() ? "" : " ", join(flag_names(command, program), " "));
  }
  return cases;
}

std::string bash(const CommandPage& program) {
  return fmt::format(
      "_pedrocli() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{}\" before=\"\" i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do before+=\"${{COMP_WORDS[i]}} \"; done\n"
      "  case \"$before\" in\n{}  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -o default -F _pedrocli pedrocli\n",
      command_names(program), bash_cases(program, program));
}

std::string zsh(const CommandPage& program) {
  return "#compdef pedrocli\nautoload -U +X bashcompinit && bashcompinit\n" + bash(program);
}

// `where`: the condition for completing the commands below `page`. `below`: the condition for
// completing the words of a command, which is appended.
std::string fish_lines(const CommandPage& page, const CommandPage& program,
                       const std::string& where, const std::string& below) {
  std::string text;
  for (const CommandPage& command : page.commands) {
    const std::string name = command.last_name();
    text += fmt::format("complete -c pedrocli -n '{}' -a {} -d '{}'\n", where, name,
                        replace_all(command.help, "'", "\\'"));
    const std::string here = fmt::format("{}__fish_seen_subcommand_from {}", below, name);
    for (const std::string& flag : flag_names(command, program)) {
      text += fmt::format("complete -c pedrocli -n '{}' -o {}\n", here, flag.substr(1));
    }
    text += fish_lines(
        command, program,
        fmt::format("{}; and not __fish_seen_subcommand_from {}", here, command_names(command)),
        here + "; and ");
  }
  return text;
}

std::string fish(const CommandPage& program) {
  return fish_lines(program, program, "__fish_use_subcommand", "");
}

constexpr CompletionShell kShells[] = {
    {"bash", "pedrocli", bash}, {"zsh", "_pedrocli", zsh}, {"fish", "pedrocli.fish", fish}};

}  // namespace

std::span<const CompletionShell> completion_shells() {
  return kShells;
}

}  // namespace pedro
