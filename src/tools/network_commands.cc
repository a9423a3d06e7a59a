#include "tools/network_commands.h"

#include "base/text.h"
#include "policy/command_rule.h"
#include "tools/command_report.h"

namespace pedro {
namespace {

/// Returns the line of a shell command, or the argv quoted as such a line.
policy::Request request_of(const Command& command) {
  policy::Request request{.action = "run", .permission = Permission::kExecute};
  const std::vector<std::string>& argv = command.argv;
  const std::string_view program = policy::program_name(argv[0]);
  const std::string_view line = line_in_shell(argv);
  if (!line.empty() && (program == "sh" || program == "bash")) {
    request.line = line;
    return request;
  }
  for (const std::string& word : argv) request.line += quoted_for_shell(word) + " ";
  return request;
}

}  // namespace

Result<NetworkCommands> NetworkCommands::make(ProcessRunner& runner, const std::string& key,
                                              const std::vector<std::string>& commands) {
  policy::Policy named;
  PEDRO_RETURN_IF_ERROR(named.add_allowed(key, commands));
  return NetworkCommands(runner, std::move(named));
}

bool NetworkCommands::is_named(const Command& command) const {
  if (named_.empty() || command.argv.empty()) return false;
  return named_.decide(request_of(command)).verdict == policy::Verdict::kAllow;
}

Result<ProcessResult> NetworkCommands::run(const Command& command, const CancelToken& cancel) {
  if (!is_named(command)) return runner_.run(command, cancel);
  Command with_network = command;
  with_network.net = true;
  return runner_.run(with_network, cancel);
}

}  // namespace pedro
