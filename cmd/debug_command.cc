#include <CLI/CLI.hpp>
#include <memory>

#include "agent_flags.h"
#include "command.h"

namespace pedro {

CommandFunction add_debug_command(CLI::App& command) {
  auto options = std::make_shared<BuildOptions>();
  options->agent = "debug";
  command.add_option("--symptoms", options->description, "What goes wrong");
  command
      .add_option("--logs", options->logs,
                  "A log that shows it: its last 24 KB are read; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--file", options->file, "A file that describes what goes wrong, or -");
  add_build_flags(command, *options);
  return [options](CommandContext& context) { return run_build_command(context, *options); };
}

}  // namespace pedro
