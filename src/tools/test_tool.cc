#include <fmt/format.h>

#include "base/text.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/checks.h"
#include "tools/command_report.h"
#include "tools/project_checks.h"

namespace pedro {
namespace {

std::vector<Check> checks_of(const ToolContext& context) {
  return context.checks ? *context.checks : detect_checks(context.tree);
}

// Runs all checks, even after a failure.
Result<ToolResult> run_all(ToolContext& context) {
  const std::vector<Check> checks = checks_of(context);
  if (checks.empty()) return refuse("no checks are known for this project: use bash");
  std::string text;
  std::string ended;
  for (const Check& check : checks) {
    PEDRO_TRY(const auto outcome, run_check(check, context.tree, context.commands,
                                            {.timeout_s = context.timeout_s}, context.cancel));
    text += fmt::format("{}: {}\n", outcome.passed ? "passed" : "FAILED", check.command);
    if (outcome.passed) continue;
    text += outcome.output + "\n";
    ended = outcome.timed_out ? "[timed out]" : fmt::format("[exit {}]", outcome.exit_code);
  }
  if (!ended.empty()) text.pop_back();
  ToolResult result{ended.empty(), std::move(text), {}};
  result.ended = std::move(ended);
  return result;
}

Result<ToolResult> run_tests(const Json& args, ToolContext& context) {
  TestFocus focus{text_of(args, "file"), text_of(args, "case")};
  if (focus.file.empty() && focus.test_case.empty()) return run_all(context);
  if (!focus.file.empty()) {
    const auto absolute = context.tree.resolve(focus.file);
    if (!absolute) return refuse(absolute.error().message);
    if (context.tree.files().info(*absolute).kind != FileKind::kFile) {
      return refuse("no such file: " + context.tree.display(*absolute));
    }
    focus.file = context.tree.display(*absolute);
  }
  const auto line = focused_test(checks_of(context), focus);
  if (!line) return refuse(line.error().message);
  Command command;
  command.argv = {"sh", "-c", *line};
  command.folder = context.tree.root();
  command.timeout_s = context.timeout_s;
  command.merge_streams = true;
  return run_reported(command, context);
}

constexpr ActionRow kTestActions[] = {{"run", run_tests}};

}  // namespace

std::unique_ptr<Tool> make_test_tool() {
  return std::make_unique<TableTool>("test", kTestActions);
}

}  // namespace pedro
