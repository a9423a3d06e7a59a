#pragma once

namespace pedro {

/// Removes environment variables that point git to another repository than the one around its
/// folder (`git rev-parse --local-env-vars`). A git hook that starts pedrocli has them set. Call it
/// once at startup, before there are threads.
void drop_git_variables();

}  // namespace pedro
