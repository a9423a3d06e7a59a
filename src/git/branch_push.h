#pragma once

#include <string>

#include "base/result.h"
#include "git/repository.h"

namespace pedro {

/// Errors: kUsage if git's configuration includes a file of the work tree, by `include.path` or a
/// link. Commands could then change the target of a push and the programs that it runs.
Status require_own_configuration(const Repository& repository);

/// Pushes a branch under the same name and sets its upstream. Uploads its LFS objects first if
/// `has_lfs`: git's hook for that does not run. Errors: git's; those of
/// require_own_configuration().
Status push_branch(const Repository& repository, const std::string& remote,
                   const std::string& branch, bool has_lfs);

}  // namespace pedro
