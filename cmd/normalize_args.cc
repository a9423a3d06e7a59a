#include "normalize_args.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "options.h"

namespace pedro {
namespace {

const FlagSpec* find_flag(const std::vector<FlagSpec>& flags, std::string_view name) {
  for (const FlagSpec& flag : flags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

const CommandSpec* find_command(const std::vector<CommandSpec>& commands, std::string_view name) {
  for (const CommandSpec& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

bool is_flag(std::string_view arg) {
  return arg.size() > 1 && arg.front() == '-';
}

std::string_view flag_name(std::string_view arg) {
  arg.remove_prefix(arg.starts_with("--") ? 2 : 1);
  return arg.substr(0, arg.find('='));
}

// Finds a flag of the commands or their subcommands.
const FlagSpec* find_flag(const std::vector<CommandSpec>& commands, std::string_view name) {
  for (const CommandSpec& command : commands) {
    const FlagSpec* flag = find_flag(command.flags, name);
    if (flag == nullptr) flag = find_flag(command.commands, name);
    if (flag != nullptr) return flag;
  }
  return nullptr;
}

// Returns true for a word like "tokens,grammar", the value of -debug without '='. Requires one
// topic only, so that a misspelled second one is reported as such.
bool names_topics(std::string_view word) {
  const std::vector<std::string_view> parts = split(word, ',');
  return std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    return std::find(kDebugTopics.begin(), kDebugTopics.end(), part) != kDebugTopics.end();
  });
}

// Returns true if the word after -debug at `at` is its value. `level`: the commands that may
// follow. A topic is also a command's name in `-debug tokens count`, but not in `-debug tokens
// build`.
bool is_debug_value(const std::vector<std::string>& args, std::size_t at,
                    const std::vector<CommandSpec>& level) {
  if (at >= args.size() || !names_topics(args[at])) return false;
  const CommandSpec* command = find_command(level, args[at]);
  if (command == nullptr) return true;
  const auto next = std::find_if(args.begin() + static_cast<std::ptrdiff_t>(at) + 1, args.end(),
                                 [](const std::string& arg) { return !is_flag(arg); });
  return next != args.end() && find_command(level, *next) != nullptr &&
         find_command(command->commands, *next) == nullptr;
}

// Returns the index of the next command's name. Skips the values of flags. Considers the flags of
// all commands, because `-issue 32 build` has a command's flag before its name.
std::size_t command_position(const std::vector<std::string>& args, std::size_t from,
                             const std::vector<FlagSpec>& global,
                             const std::vector<CommandSpec>& commands,
                             const std::vector<CommandSpec>& level) {
  for (std::size_t i = from; i < args.size(); ++i) {
    if (!is_flag(args[i])) return i;
    if (args[i] == "--") break;
    if (args[i].find('=') != std::string::npos) continue;
    const std::string_view name = flag_name(args[i]);
    if (name == "debug") {
      if (is_debug_value(args, i + 1, level)) ++i;
      continue;
    }
    const FlagSpec* flag = find_flag(global, name);
    if (flag == nullptr) flag = find_flag(commands, name);
    if (flag != nullptr && flag->takes_value) ++i;
  }
  return args.size();
}

// The chosen commands: `grammar`, then `match`.
struct Choice {
  std::vector<const CommandSpec*> commands;
  std::vector<std::size_t> positions;

  // Returns "grammar match ", with a blank after each name.
  std::string path() const {
    std::string text;
    for (const CommandSpec* command : commands) text += command->name + " ";
    return text;
  }

  const FlagSpec* find(std::string_view name) const {
    for (const CommandSpec* command : commands) {
      if (const FlagSpec* flag = find_flag(command->flags, name)) return flag;
    }
    return nullptr;
  }
};

Error unknown_flag(std::string_view name, const Choice& choice,
                   const std::vector<FlagSpec>& global) {
  std::vector<std::string> names;
  for (const FlagSpec& flag : global) names.push_back("-" + flag.name);
  for (const CommandSpec* command : choice.commands) {
    for (const FlagSpec& flag : command->flags) names.push_back("-" + flag.name);
  }
  const std::string shown = "-" + std::string(name);
  return usage_error(fmt::format("unknown flag '{}'{}; `pedrocli {}-help` lists them", shown,
                                 did_you_mean(shown, names), choice.path()));
}

Error unknown_command(const std::string& name, const Choice& choice,
                      const std::vector<CommandSpec>& commands) {
  std::vector<std::string> names;
  for (const CommandSpec& command : commands) names.push_back(command.name);
  const std::string path = choice.path();
  return usage_error(fmt::format("unknown command '{}{}'{}; `pedrocli {}` lists them", path, name,
                                 did_you_mean(name, names),
                                 path.empty() ? "help" : path + "-help"));
}

Result<Choice> choose(const std::vector<std::string>& args, const std::vector<FlagSpec>& global,
                      const std::vector<CommandSpec>& commands) {
  Choice choice;
  std::size_t from = 0;
  for (const auto* level = &commands; !level->empty(); level = &choice.commands.back()->commands) {
    const std::size_t position = command_position(args, from, global, commands, *level);
    if (position == args.size()) break;
    const CommandSpec* command = find_command(*level, args[position]);
    if (command == nullptr && !choice.commands.empty() && choice.commands.back()->takes_words)
      break;
    if (command == nullptr) return unknown_command(args[position], choice, *level);
    choice.commands.push_back(command);
    choice.positions.push_back(position);
    from = position + 1;
  }
  return choice;
}

}  // namespace

Result<std::vector<std::string>> normalize_args(const std::vector<std::string>& args,
                                                const std::vector<FlagSpec>& global,
                                                const std::vector<CommandSpec>& commands) {
  PEDRO_TRY(const Choice choice, choose(args, global, commands));
  std::vector<std::string> out;
  for (const CommandSpec* command : choice.commands) out.push_back(command->name);
  const auto is_command = [&](std::size_t i) {
    return std::find(choice.positions.begin(), choice.positions.end(), i) != choice.positions.end();
  };
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (is_command(i)) continue;
    if (arg == "--") {
      // CLI11 does not continue a list of words across "--".
      const auto named = out.begin() + static_cast<std::ptrdiff_t>(choice.commands.size());
      const auto words =
          std::stable_partition(named, out.end(), [](const auto& one) { return is_flag(one); });
      out.insert(words, "--");
      out.insert(out.end(), args.begin() + static_cast<std::ptrdiff_t>(i) + 1, args.end());
      break;
    }
    if (!is_flag(arg)) {
      out.push_back(arg);
      continue;
    }
    const std::string name(flag_name(arg == "-h" ? "-help" : arg));
    const FlagSpec* flag = choice.find(name);
    if (flag == nullptr) flag = find_flag(global, name);
    if (flag == nullptr) return unknown_flag(name, choice, global);
    const std::size_t equals = arg.find('=');
    const bool apart = equals == std::string::npos && flag->takes_value && name != "debug";
    if (equals + 1 == arg.size() || (apart && i + 1 < args.size() && args[i + 1].empty())) {
      return usage_error(fmt::format("-{}: the value is empty", name));
    }
    if (equals != std::string::npos) {
      out.push_back("--" + name + arg.substr(equals));
    } else if (name == "debug") {
      const bool named = i + 1 < args.size() && !is_command(i + 1) && names_topics(args[i + 1]);
      out.push_back("--debug=" + (named ? args[++i] : "all"));
    } else if (!flag->takes_value) {
      out.push_back("--" + name);
    } else if (i + 1 >= args.size()) {
      return usage_error(fmt::format("-{}: expected a value", name));
    } else {
      out.push_back("--" + name + "=" + args[++i]);
    }
  }
  return out;
}

}  // namespace pedro
