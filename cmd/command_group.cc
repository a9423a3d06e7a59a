#include "command_group.h"

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

namespace pedro {

CommandFunction add_commands_below(CLI::App& command, std::span<const CommandEntry> entries,
                                   const std::string& notes) {
  std::vector<std::pair<const CLI::App*, CommandFunction>> rows;
  for (const CommandEntry& entry : entries) {
    CLI::App* below = command.add_subcommand(entry.name, entry.help);
    below->footer("");  // do not inherit the notes of the group
    rows.emplace_back(below, entry.add(*below));
  }
  command.footer(notes);
  command.require_subcommand(0, 1);
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
