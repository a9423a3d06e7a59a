#include "vocab_command.h"

#include <vector>

namespace pedro {
namespace {

const std::vector<CommandEntry>& vocab_commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"list", "List the vocabularies that are known by name, and their places", add_vocab_list},
      {"add", "Compile a vocabulary file and store it under a name", add_vocab_add},
      {"verify", "Find damaged or wrong vocabularies", add_vocab_verify},
  };
  return kCommands;
}

constexpr const char* kVocabNotes =
    "Exit codes: 0 done, 1 of verify: something is wrong, 2 usage, 3 configuration or a file that\n"
    "cannot be read. How models find their vocabulary: docs/tokens.md.\n";

}  // namespace

CommandFunction add_vocab_command(CLI::App& command) {
  CommandFunction run = add_commands_below(command, vocab_commands());
  command.footer(kVocabNotes);
  return run;
}

}  // namespace pedro
