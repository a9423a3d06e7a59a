#include "grammar_command.h"

#include <vector>

namespace pedro {
namespace {

const std::vector<CommandEntry>& grammar_commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"tools", "Print the grammar of a phase's replies, or list the phases", add_grammar_tools},
      {"from-schema", "Convert a JSON Schema to a grammar; report what it does not express",
       add_grammar_from_schema},
      {"check", "Find what makes a llama-server refuse, hang or slow down", add_grammar_check},
      {"match", "Match a text against a grammar; show the first mismatch and what was expected",
       add_grammar_match},
      {"explain", "Show the parts of a grammar and where it is large", add_grammar_explain},
  };
  return kCommands;
}

constexpr const char* kGrammarNotes =
    "Exit codes: 0 yes, 1 no: errors, no match, something lost with -strict; 2 usage, 3 a grammar\n"
    "or a schema that cannot be read, 6 too large or too ambiguous.\n";

}  // namespace

CommandFunction add_grammar_command(CLI::App& command) {
  CommandFunction run = add_commands_below(command, grammar_commands());
  command.footer(kGrammarNotes);
  return run;
}

}  // namespace pedro
