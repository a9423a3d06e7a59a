#include "format_command.h"

#include <vector>

namespace pedro {
namespace {

const std::vector<CommandEntry>& format_commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"learn", "Print the format of a server's own chat template", add_format_learn},
      {"list", "List the known formats", add_format_list},
      {"parse", "Print the calls in a model's reply", add_format_parse},
      {"render", "Print a conversation as text or token ids", add_format_render},
  };
  return kCommands;
}

constexpr const char* kFormatNotes =
    "Exit codes: 0 done, 1 the conversation is invalid, the reply contains an invalid call,\n"
    "or the server writes turns differently, 2 usage, 3 configuration, 4 the server.\n";

}  // namespace

std::string to_ascii_line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

CommandFunction add_format_command(CLI::App& command) {
  CommandFunction run = add_commands_below(command, format_commands());
  command.footer(kFormatNotes);
  return run;
}

}  // namespace pedro
