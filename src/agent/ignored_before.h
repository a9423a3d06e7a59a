#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/git_runner.h"
#include "base/result.h"

namespace pedro {

/// Returns the files of `paths` that git would ignore with the `.gitignore` files of `index`
/// instead of those of the work tree. A job that changes `.gitignore` cannot make private files of
/// the user part of its work. `index` is the path of an index. Errors: those of GitRunner.
///
///     ignored_before(git, index_of_base, {".env", "new.py"})  // {".env"}
Result<std::set<std::string>> ignored_before(const GitRunner& git, const std::string& index,
                                             const std::vector<std::string>& paths);

}  // namespace pedro
