#pragma once

namespace pedro {

/// Takes out of this process' environment what makes git work on another repository than the one
/// around its folder (`git rev-parse --local-env-vars`): a git hook that starts us has them set.
/// Called once, at the start, before there are threads.
void drop_git_variables();

}  // namespace pedro
