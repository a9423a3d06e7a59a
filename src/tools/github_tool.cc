#include <fmt/format.h>

#include "base/text.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/command_report.h"
#include "tools/gh_command.h"
#include "tools/git_command.h"
#include "tools/issue.h"

namespace pedro {
namespace {

Result<std::string> gh(std::vector<std::string> arguments, ToolContext& context,
                       std::optional<std::string> input = {}) {
  return run_gh(context.tree.root(), std::move(arguments), context.processes, context.cancel,
                std::move(input));
}

std::string number_in(const Json& args, std::string_view key) {
  return std::to_string(number_of(args, key));
}

Result<ToolResult> rendered(const std::string& answer, const std::string& tail) {
  const auto json = parse_json(answer);
  if (!json) return refuse("gh did not return JSON: " + json.error().message);
  return ToolResult{true, render(issue_from_json(*json)) + tail, {}};
}

Result<ToolResult> issue_fetch(const Json& args, ToolContext& context) {
  const auto answer = gh({"issue", "view", number_in(args, "issue_number"), "--json",
                          "number,title,body,comments,url"},
                         context);
  if (!answer) return answer_for_command(answer.error());
  return rendered(*answer, "");
}

Result<ToolResult> pr_fetch(const Json& args, ToolContext& context) {
  const std::string number = number_in(args, "pr_number");
  const auto answer =
      gh({"pr", "view", number, "--json", "number,title,body,comments,url"}, context);
  if (!answer) return answer_for_command(answer.error());
  if (!truth_of(args, "include_diff")) return rendered(*answer, "");
  const auto diff = gh({"pr", "diff", number}, context);
  if (!diff) return answer_for_command(diff.error());
  return rendered(*answer, "\n" + *diff);
}

Result<ToolResult> pr_create(const Json& args, ToolContext& context) {
  const std::string title(trim(text_of(args, "title")));
  if (title.empty()) return refuse("a pull request needs a title");
  std::vector<std::string> arguments = {"pr", "create", "--title=" + title, "--body-file=-"};
  if (truth_of(args, "draft", true)) arguments.emplace_back("--draft");
  if (args.contains("branch")) {
    const std::string branch = text_of(args, "branch");
    const std::string problem = branch_problem(branch);
    if (!problem.empty()) return refuse(problem);
    arguments.push_back("--head=" + branch);
  }
  const auto answer = gh(std::move(arguments), context, text_of(args, "body"));
  if (!answer) return answer_for_command(answer.error());
  return ToolResult{true, std::string(trim(*answer)), {}};
}

Result<ToolResult> pr_comment(const Json& args, ToolContext& context) {
  const std::string body = text_of(args, "body");
  if (trim(body).empty()) return refuse("a comment needs a body");
  const auto answer =
      gh({"pr", "comment", number_in(args, "pr_number"), "--body-file=-"}, context, body);
  if (!answer) return answer_for_command(answer.error());
  return ToolResult{true, std::string(trim(*answer)), {}};
}

constexpr ActionRow kGithubActions[] = {
    {"issue_fetch", issue_fetch, [](const Json&) -> std::string { return "gh issue view"; }},
    {"pr_fetch", pr_fetch, [](const Json&) -> std::string { return "gh pr view; gh pr diff"; }},
    {"pr_create", pr_create, [](const Json&) -> std::string { return "gh pr create"; }},
    {"pr_comment", pr_comment, [](const Json&) -> std::string { return "gh pr comment"; }}};

}  // namespace

std::unique_ptr<Tool> make_github_tool() {
  return std::make_unique<TableTool>("github", kGithubActions);
}

}  // namespace pedro
