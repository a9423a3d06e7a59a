#include <CLI/CLI.hpp>
#include <memory>

#include "agent_flags.h"
#include "command.h"

namespace pedro {

CommandFunction add_triage_command(CLI::App& command) {
  auto options = std::make_shared<ReadOptions>();
  options->agent = "triage";
  options->logs_flag = "-error-logs";
  command.add_option("--description", options->description, "What was reported");
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--file", options->file, "A file with the report, or -");
  command
      .add_option("--error-logs", options->logs,
                  "A related log: its last 24 KB are read; may be repeated")
      ->allow_extra_args(false);
  command.add_flag("--label", options->label, "Put the labels on the issue, with gh");
  add_read_flags(command, *options);
  return [options](CommandContext& context) { return run_read_command(context, *options); };
}

}  // namespace pedro
