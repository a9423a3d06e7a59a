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

constexpr const char* kEvalExample =
    "Examples:\n"
    "  pedrocli eval toolcalls -runs 10 -out qwen.jsonl -html qwen.html\n"
    "  pedrocli eval toolcalls -only staged -only grammar\n"
    "  pedrocli eval tasks -set tiny -alone -out alone.jsonl\n"
    "  pedrocli eval tasks -set tiny -out agent.jsonl -label agent -- -max-rounds 30\n"
    "  pedrocli eval diff before.jsonl after.jsonl\n"
    "\n"
    "`eval diff` exits with 0 for better, 1 for worse, 2 for noise.\n";

}  // namespace

CommandFunction add_eval_command(CLI::App& command) {
  CommandFunction run = add_commands_below(command, eval_commands());
  add_example(command, kEvalExample);
  return run;
}

}  // namespace pedro
