#include "git/branch_push.h"

#include <fmt/format.h>

#include "tools/git_command.h"
#include "tools/repository_programs.h"

namespace pedro {
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
                   const std::string& branch, bool has_lfs) {
  PEDRO_RETURN_IF_ERROR(require_own_configuration(repository));
  for (const std::string* name : {&remote, &branch}) {
    if (std::string problem = branch_problem(*name); !problem.empty()) {
      return usage_error(std::move(problem));
    }
  }
  const GitRunner& git = repository.git();
  if (has_lfs) PEDRO_RETURN_IF_ERROR(git.run({"lfs", "push", remote, branch}));
  const std::string ref = "refs/heads/" + branch;
  return git.perform({"push", "--quiet", "--set-upstream", remote, ref + ":" + ref});
}

}  // namespace pedro
