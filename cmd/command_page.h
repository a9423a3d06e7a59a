#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pedro {

/// A flag or an argument as help and manual describe it.
struct FlagText {
  std::vector<std::string> names;  ///< "-o", "-out"; of an argument "FILE"
  std::string value;               ///< "DURATION"; "": takes none
  std::string help;

  /// Returns "-o, -out FILE".
  std::string heading() const;
};

/// The facts about a command that help, completion, man pages and reference pages show.
struct CommandPage {
  std::string path;   ///< "grammar check"; "": the program
  std::string help;   ///< one line
  std::string usage;  ///< "pedrocli grammar check [OPTIONS] FILE"
  std::vector<FlagText> arguments;
  std::vector<FlagText> flags;
  std::string notes;  ///< paragraphs, "" if none
  std::vector<CommandPage> commands;

  /// Returns "pedrocli grammar check", with `separator` between the words.
  std::string name(char separator = ' ') const;
  /// Returns "check".
  std::string last_name() const { return path.substr(path.rfind(' ') + 1); }
};

/// Describes a command and its subcommands. `app` must be complete.
CommandPage page_of(const CLI::App& app);

/// Returns the words after the program's name: "grammar check".
std::string path_of(const CLI::App& app);

}  // namespace pedro
