#include "tokens_command.h"

#include <vector>

namespace pedro {
namespace {

const std::vector<CommandEntry>& tokens_commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"count", "Count the tokens of files or standard input", add_tokens_count},
      {"encode", "Print the token ids of a text", add_tokens_encode},
      {"decode", "Print the text of token ids", add_tokens_decode},
      {"show", "Show how a text is split into tokens", add_tokens_show},
      {"compare", "Find the first token in which two vocabularies differ", add_tokens_compare},
  };
  return kCommands;
}

constexpr const char* kTokensNotes =
    "Exit codes: 0 done (of compare: the same), 1 different, 2 usage, 3 configuration, 4 the "
    "server.\n";

}  // namespace

CommandFunction add_tokens_command(CLI::App& command) {
  CommandFunction run = add_commands_below(command, tokens_commands());
  command.footer(kTokensNotes);
  return run;
}

}  // namespace pedro
