#include "eval_command.h"

#include <vector>

namespace pedro {
namespace {

const std::vector<CommandEntry>& eval_commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"toolcalls", "Measure how well the model calls tools in several configurations",
       add_eval_toolcalls},
      {"tasks", "Measure how many tasks an agent or the model alone solves", add_eval_tasks},
      {"diff", "Compare two records: better, worse, or noise", add_eval_diff},
  };
  return kCommands;
}

constexpr const char* kEvalNotes =
    "`eval diff` exits with 0 for better, 1 for worse, 2 for noise.\n";

}  // namespace

CommandFunction add_eval_command(CLI::App& command) {
  CommandFunction run = add_commands_below(command, eval_commands());
  command.footer(kEvalNotes);
  return run;
}

}  // namespace pedro
