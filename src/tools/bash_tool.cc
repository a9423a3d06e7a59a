#include <algorithm>

#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/command_report.h"

namespace pedro {
namespace {

constexpr double kDefaultTimeout_s = 120;

Result<ToolResult> run_command(const Json& args, ToolContext& context) {
  Command command;
  command.argv = shell_command(context.commands, text_of(args, "command"));
  command.folder = context.tree.root();
  command.timeout_s = std::min(real_of(args, "timeout_s", kDefaultTimeout_s), context.timeout_s);
  command.merge_streams = true;
  return run_reported(command, context);
}

std::string shell_line(const Json& args) {
  return text_of(args, "command");
}

constexpr ActionRow kBashActions[] = {{"run", run_command, shell_line}};

}  // namespace

std::unique_ptr<Tool> make_bash_tool() {
  return std::make_unique<TableTool>("bash", kBashActions);
}

}  // namespace pedro
