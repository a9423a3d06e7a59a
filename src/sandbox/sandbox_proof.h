#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "sandbox/sandbox.h"

namespace pedro {

/// The outcome of a forbidden action tried inside a sandbox.
struct SandboxProof {
  std::string what;   ///< such as "write outside"
  bool held = false;  ///< the sandbox prevented it
};

/// Tries actions that a sandbox must prevent: writing and reading outside, reading ~/.ssh,
/// connecting to a local server. Also reading this process's environment, and opening git's
/// configuration for writing. They do no harm even if they succeed. `home` is the user's. Errors:
/// kUsage if nothing runs in the sandbox; kInterrupted; those of the scratch folder.
Result<std::vector<SandboxProof>> prove_sandbox(Sandbox& sandbox, const std::string& tree,
                                                const std::string& home, const CancelToken& cancel);

}  // namespace pedro
