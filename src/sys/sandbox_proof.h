#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/sandbox.h"

namespace pedro {

/// A forbidden thing that was tried inside a sandbox.
struct SandboxProof {
  std::string what;   ///< "write outside"
  bool held = false;  ///< it did not come off
};

/// Tries what a sandbox is there to prevent: to write and to read outside, to read ~/.ssh, to
/// connect to a server on this machine, to look into this process and to open git's configuration
/// for writing. Nothing is harmed where one succeeds. `home` is the user's. Error: the sandbox runs
/// nothing at all, or kInterrupted.
Result<std::vector<SandboxProof>> prove_sandbox(Sandbox& sandbox, const std::string& tree,
                                                const std::string& home, const CancelToken& cancel);

}  // namespace pedro
