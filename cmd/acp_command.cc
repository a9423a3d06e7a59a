#include <CLI/CLI.hpp>

#include "acp_agent.h"
#include "command.h"

namespace pedro {
namespace {

Result<int> run_agent_of_editor(CommandContext& context) {
  PEDRO_RETURN_IF_ERROR(require_several_jobs(context.global, "the editor"));
  const std::string state = context.environment.state_folder();
  if (state.empty()) {
    return usage_error("neither HOME nor XDG_STATE_HOME is set: sessions cannot be stored");
  }
  AcpAgent agent(context, state);
  return agent.run();
}

}  // namespace

CommandFunction add_acp_command(CLI::App& command) {
  command.footer(
      "An editor starts this command and speaks the Agent Client Protocol 1 with it, one message\n"
      "per line of standard input and output. Each prompt is a job. docs/guide/editors.md has the\n"
      "settings of editors.");
  return running(run_agent_of_editor);
}

}  // namespace pedro
