#include <fmt/format.h>

#include <iterator>
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

// Runs git through `runner`. Returns its output, or `when_silent` if it is empty.
Result<ToolResult> run_git(Arguments arguments, const std::string& when_silent,
                           ToolContext& context, ProcessRunner& runner,
                           std::optional<std::string> input = {}) {
  Command command = git_command(context.tree.root(), std::move(arguments));
  const auto programs =
      repository_programs(command.folder, context.tree.files(), context.processes, context.cancel);
  if (!programs) return answer_for_command(programs.error());
  command.environment.insert(programs->off.begin(), programs->off.end());
  command.timeout_s = context.timeout_s;
  command.input = std::move(input);
  const auto result = runner.run(command, context.cancel);
  if (!result) return answer_for_command(result.error());
  if (!result->ok()) return report(*result, context.timeout_s);
  const std::string output = output_of(*result);
  return ToolResult{true, output.empty() ? when_silent : output, {}};
}

// Runs in the sandbox: the model's files may make git run programs.
Result<ToolResult> read_by_git(Arguments arguments, const std::string& when_silent,
                               ToolContext& context) {
  return run_git(std::move(arguments), when_silent, context, context.commands);
}

/// Returns `path` relative to the root; refuses paths outside the tree.
Result<std::string> inside(const WorkTree& tree, std::string_view path) {
  PEDRO_TRY(const auto absolute, tree.resolve(path));
  return tree.display(absolute);
}

/// Appends the revision in the call, if there is one.
Status append_revision(const Json& args, std::string_view key, Arguments& arguments) {
  if (!args.contains(key)) return {};
  std::string revision = text_of(args, key);
  std::string problem = revision_problem(revision);
  if (!problem.empty()) return Error{ErrorKind::kRefused, std::move(problem)};
  arguments.push_back(std::move(revision));
  return {};
}

/// Appends "--", and the path in the call, if there is one.
Status append_path(const Json& args, const WorkTree& tree, Arguments& arguments) {
  arguments.emplace_back("--");
  if (!args.contains("path")) return {};
  PEDRO_TRY(auto path, inside(tree, text_of(args, "path")));
  arguments.push_back(std::move(path));
  return {};
}

Result<ToolResult> status(const Json&, ToolContext& context) {
  return read_by_git(
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
  return read_by_git(std::move(arguments), "no differences (untracked files are not compared)",
                     context);
}

Result<ToolResult> log(const Json& args, ToolContext& context) {
  Arguments arguments = {"log", "--date=short", "--format=%h %ad %an: %s"};
  arguments.push_back(
      fmt::format("--max-count={}", number_of(args, "max_count", kDefaultLogCount)));
  const Status path = append_path(args, context.tree, arguments);
  if (!path) return refuse(path.error().message);
  return read_by_git(std::move(arguments), "no commits", context);
}

Result<ToolResult> show(const Json& args, ToolContext& context) {
  Arguments arguments = {"show", "--no-ext-diff", "--no-textconv"};
  const Status revision = append_revision(args, "ref", arguments);
  if (!revision) return refuse(revision.error().message);
  if (args.contains("path")) {
    const auto path = inside(context.tree, text_of(args, "path"));
    if (!path) return refuse(path.error().message);
    arguments.back() += ":./" + *path;  // after "--", git's error would not name the path
  } else {
    arguments.emplace_back("--");
  }
  return read_by_git(std::move(arguments), "(empty)", context);
}

// Lists the files below `paths` that git does not ignore, each followed by NUL. Skips nested
// repositories, which git lists as folders.
Result<std::string> files_to_stage(Arguments paths, ToolContext& context) {
  Arguments arguments = {"-c",       "core.quotepath=on",  "ls-files",      "--cached",
                         "--others", "--exclude-standard", "--deduplicate", "--"};
  std::move(paths.begin(), paths.end(), std::back_inserter(arguments));
  PEDRO_TRY(
      const auto listed,
      context.commands.run(git_command(context.tree.root(), std::move(arguments)), context.cancel));
  if (!listed.ok()) return Error{ErrorKind::kRefused, std::string(trim(listed.err))};
  if (listed.out_cut) return Error{ErrorKind::kRefused, "too many files; name fewer"};
  std::string names;
  for (const std::string_view line : split_lines(listed.out)) {
    const auto name = unquoted_path(line);
    if (name && !name->ends_with('/')) names.append(*name).push_back('\0');
  }
  return names;
}

// Avoids `git add`, which enters nested repositories and runs the programs they configure. Runs
// outside the sandbox, where the repository is read-only.
Result<ToolResult> add(const Json& args, ToolContext& context) {
  Arguments paths;
  for (const Json& file : member(args, "files")) {
    auto path = inside(context.tree, file.get_ref<const std::string&>());
    if (!path) return refuse(path.error().message);
    paths.push_back(std::move(*path));
  }
  if (paths.empty()) return refuse("name at least one file to stage");
  const std::string shown = join(paths, " ");
  auto names = files_to_stage(std::move(paths), context);
  if (!names) return answer_for_command(names.error());
  if (names->empty()) return refuse("no file to stage: " + shown + " is missing or ignored by git");
  return run_git({"update-index", "--add", "--remove", "-z", "--stdin"}, "staged: " + shown,
                 context, context.processes, std::move(*names));
}

// The commands in the form of policy rules.
constexpr ActionRow kGitActions[] = {
    {"status", status, [](const Json&) -> std::string { return "git status"; }},
    {"diff", diff, [](const Json&) -> std::string { return "git diff"; }},
    {"log", log, [](const Json&) -> std::string { return "git log"; }},
    {"show", show, [](const Json&) -> std::string { return "git show"; }},
    {"add", add, [](const Json&) -> std::string { return "git add"; }}};

}  // namespace

std::unique_ptr<Tool> make_git_tool() {
  return std::make_unique<TableTool>("git", kGitActions);
}

}  // namespace pedro
