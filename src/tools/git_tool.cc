#include <fmt/format.h>

#include <optional>

#include "base/text.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/command_report.h"
#include "tools/git_command.h"
#include "tools/repository_programs.h"

namespace pedro {
namespace {

constexpr long long kDefaultLogCount = 10;

using Arguments = std::vector<std::string>;

/// Runs git and answers with its output, or with `when_silent` where there is none.
Result<ToolResult> run_git(Arguments arguments, const std::string& when_silent,
                           ToolContext& context, std::optional<std::string> input = {}) {
  Command command = git_command(context.tree.root(), std::move(arguments));
  const auto programs =
      repository_programs(command.folder, context.tree.files(), context.processes, context.cancel);
  if (!programs) return answer_for_command(programs.error());
  command.environment.insert(programs->off.begin(), programs->off.end());
  command.timeout_s = context.timeout_s;
  command.input = std::move(input);
  // What it works on is the model's: it may name programs that git would start.
  const auto result = context.commands.run(command, context.cancel);
  if (!result) return answer_for_command(result.error());
  if (!result->ok()) return report(*result, context.timeout_s);
  const std::string output = output_of(*result);
  return ToolResult{true, output.empty() ? when_silent : output, {}};
}

/// `path` as git gets it: inside the tree, relative to its root.
Result<std::string> inside(const WorkTree& tree, std::string_view path) {
  const auto absolute = tree.resolve(path);
  if (!absolute) return absolute.error();
  return tree.display(*absolute);
}

/// Appends the revision of the call, where it names one.
Status append_revision(const Json& args, std::string_view key, Arguments& arguments) {
  if (!args.contains(key)) return {};
  std::string revision = text_of(args, key);
  std::string problem = revision_problem(revision);
  if (!problem.empty()) return Error{ErrorKind::kRefused, std::move(problem)};
  arguments.push_back(std::move(revision));
  return {};
}

/// Appends "--", and the path of the call where it names one.
Status append_path(const Json& args, const WorkTree& tree, Arguments& arguments) {
  arguments.emplace_back("--");
  if (!args.contains("path")) return {};
  auto path = inside(tree, text_of(args, "path"));
  if (!path) return path.error();
  arguments.push_back(std::move(*path));
  return {};
}

Result<ToolResult> status(const Json&, ToolContext& context) {
  return run_git(
      {"status", "--short", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty"},
      "", context);
}

Result<ToolResult> diff(const Json& args, ToolContext& context) {
  Arguments arguments = {"diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"};
  if (truth_of(args, "staged")) arguments.emplace_back("--cached");
  const Status revision = append_revision(args, "base", arguments);
  if (!revision) return refuse(revision.error().message);
  const Status path = append_path(args, context.tree, arguments);
  if (!path) return refuse(path.error().message);
  return run_git(std::move(arguments), "no differences (untracked files are not compared)",
                 context);
}

Result<ToolResult> log(const Json& args, ToolContext& context) {
  Arguments arguments = {"log", "--date=short", "--format=%h %ad %an: %s"};
  arguments.push_back(
      fmt::format("--max-count={}", number_of(args, "max_count", kDefaultLogCount)));
  const Status path = append_path(args, context.tree, arguments);
  if (!path) return refuse(path.error().message);
  return run_git(std::move(arguments), "no commits", context);
}

Result<ToolResult> show(const Json& args, ToolContext& context) {
  Arguments arguments = {"show", "--no-ext-diff", "--no-textconv"};
  const Status revision = append_revision(args, "ref", arguments);
  if (!revision) return refuse(revision.error().message);
  if (args.contains("path")) {
    const auto path = inside(context.tree, text_of(args, "path"));
    if (!path) return refuse(path.error().message);
    arguments.back() += ":./" + *path;  // behind "--" git's error would not name the path
  } else {
    arguments.emplace_back("--");
  }
  return run_git(std::move(arguments), "(empty)", context);
}

Result<ToolResult> add(const Json& args, ToolContext& context) {
  Arguments arguments = {"add", "--"};
  std::string staged = "staged:";
  for (const Json& file : member(args, "files")) {
    auto path = inside(context.tree, file.get_ref<const std::string&>());
    if (!path) return refuse(path.error().message);
    staged += " " + *path;
    arguments.push_back(std::move(*path));
  }
  if (staged.ends_with(':')) return refuse("name at least one file to stage");
  return run_git(std::move(arguments), staged, context);
}

Result<ToolResult> commit(const Json& args, ToolContext& context) {
  const std::string message(trim(text_of(args, "message")));
  if (message.empty()) return refuse("a commit needs a message");
  auto arguments = identity_options(context.tree.root(), context.processes, context.cancel);
  if (!arguments) return answer_for_command(arguments.error());
  arguments->insert(arguments->end(), {"commit", "--quiet", "--no-gpg-sign", "--file=-"});
  return run_git(std::move(*arguments), "committed", context, message);
}

Result<ToolResult> checkout(const Json& args, ToolContext& context) {
  const std::string branch = text_of(args, "branch");
  const std::string problem = branch_problem(branch);
  if (!problem.empty()) return refuse(problem);
  return run_git({"switch", "--quiet", branch}, "on branch " + branch, context);
}

Result<ToolResult> create_branch(const Json& args, ToolContext& context) {
  const std::string name = text_of(args, "name");
  const std::string problem = branch_problem(name);
  if (!problem.empty()) return refuse(problem);
  Arguments arguments = {"switch", "--quiet", "--no-track", "--create", name};
  const Status base = append_revision(args, "base", arguments);
  if (!base) return refuse(base.error().message);
  return run_git(std::move(arguments), "on new branch " + name, context);
}

// The words that stand for it in a rule; of those that switch, both spellings.
constexpr ActionRow kGitActions[] = {
    {"status", status, [](const Json&) -> std::string { return "git status"; }},
    {"diff", diff, [](const Json&) -> std::string { return "git diff"; }},
    {"log", log, [](const Json&) -> std::string { return "git log"; }},
    {"show", show, [](const Json&) -> std::string { return "git show"; }},
    {"add", add, [](const Json&) -> std::string { return "git add"; }},
    {"commit", commit, [](const Json&) -> std::string { return "git commit"; }},
    {"checkout", checkout, [](const Json&) -> std::string { return "git checkout; git switch"; }},
    {"create_branch", create_branch,
     [](const Json&) -> std::string { return "git branch; git checkout -b; git switch -c"; }}};

}  // namespace

std::unique_ptr<Tool> make_git_tool() {
  return std::make_unique<TableTool>("git", kGitActions);
}

}  // namespace pedro
