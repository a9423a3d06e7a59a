#pragma once

#include <optional>
#include <string>

#include "git/git_runner.h"

namespace pedro {

/// The commit that a work tree is at.
struct Head {
  std::string branch;  ///< without "refs/heads/"; "" if HEAD is detached
  std::string commit;  ///< full id; "" if only git can find it
};

/// Reads HEAD from the files of a repository, without a process. Returns nothing where only git can
/// read it, for example from a reftable. Does not check that the commit exists. Format:
/// gitrepository-layout(5).
///
///     const std::optional<Head> head = read_head(git);
std::optional<Head> read_head(const GitRunner& git);

}  // namespace pedro
