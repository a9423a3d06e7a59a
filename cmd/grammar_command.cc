#include "grammar_command.h"

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

namespace pedro {
namespace {

const std::vector<CommandEntry>& commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"tools", "Print the grammar of a phase's replies, or list the phases", add_grammar_tools},
      {"from-schema", "Make a grammar of a JSON Schema; say what it does not express",
       add_grammar_from_schema},
      {"check", "Find what a llama-server would refuse, hang on or be slow with",
       add_grammar_check},
      {"match", "Does a text fit a grammar? If not: where it stops and what was expected",
       add_grammar_match},
      {"explain", "What a grammar is made of and where it is large", add_grammar_explain},
  };
  return kCommands;
}

constexpr const char* kExample =
    "Examples:\n"
    "  pedrocli grammar from-schema person.json > person.gbnf\n"
    "  pedrocli grammar check person.gbnf\n"
    "  pedrocli grammar match person.gbnf reply.json\n"
    "\n"
    "Exit codes: 0 yes, 1 no: errors, no match, something lost with -strict; 2 usage, 3 a grammar\n"
    "or a schema that cannot be read, 6 too large or too ambiguous.\n";

using Row = std::pair<const CLI::App*, CommandFunction>;

}  // namespace

void add_example(CLI::App& command, const char* example) {
  command.footer(std::string(example) + "\n" + command.get_footer());
}

CommandFunction add_grammar_command(CLI::App& command) {
  std::vector<Row> rows;
  for (const CommandEntry& entry : commands()) {
    CLI::App* below = command.add_subcommand(entry.name, entry.help);
    rows.emplace_back(below, entry.add(*below));
  }
  command.require_subcommand(0, 1);
  add_example(command, kExample);
  const CLI::App* self = &command;
  return [self, rows](CommandContext& context) {
    for (const auto& [below, run] : rows) {
      if (below->parsed()) return run(context);
    }
    print(self->help(self->get_parent()->get_name()));
    return static_cast<int>(kExitUsage);
  };
}

}  // namespace pedro
