#include "agent/branch_push.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

// Returns true if git LFS stores the contents of a file.
Result<bool> has_lfs(const GitRunner& git, const std::vector<std::string>& files) {
  if (files.empty()) return false;
  std::vector<std::string> arguments = {"-c", "core.quotepath=on", "check-attr", "filter", "--"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  PEDRO_TRY(const std::string text, git.run(std::move(arguments)));
  const auto lines = split_lines(text);
  return std::any_of(lines.begin(), lines.end(),
                     [](std::string_view line) { return line.ends_with(": filter: lfs"); });
}

}  // namespace

Status require_own_configuration(const Repository& repository) {
  PEDRO_TRY(const auto file, configuration_in_tree(repository.root(), repository.files(),
                                                   repository.processes(), repository.cancel()));
  if (file.empty()) return {};
  return usage_error(
      fmt::format("{} is part of git's configuration, and commands may write to it; "
                  "include a file outside of the project, or push yourself",
                  file));
}

Status push_branch(const Repository& repository, const std::string& remote,
                   const std::string& branch, const std::vector<std::string>& files) {
  PEDRO_RETURN_IF_ERROR(require_own_configuration(repository));
  for (const std::string* name : {&remote, &branch}) {
    if (std::string problem = branch_problem(*name); !problem.empty()) {
      return usage_error(std::move(problem));
    }
  }
  const GitRunner& git = repository.git();
  PEDRO_TRY(const bool lfs, has_lfs(git, files));
  if (lfs) PEDRO_RETURN_IF_ERROR(git.run({"lfs", "push", remote, branch}));
  const std::string ref = "refs/heads/" + branch;
  PEDRO_RETURN_IF_ERROR(git.run({"push", "--quiet", "--set-upstream", remote, ref + ":" + ref}));
  return {};
}

}  // namespace pedro
