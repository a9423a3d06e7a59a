#pragma once

namespace pedro {

/// The documented exit codes.
enum ExitCode {
  kExitDone = 0,  ///< done and verified
  kExitInternal = 1,
  kExitNo = 1,  ///< of `grammar`: errors, no match, or a lossy schema; of `mcp call`: failed;
                ///< of `tokens compare`: different; of `format`: invalid; of `batch`: some
                ///< failed; of `eval diff`: worse
  kExitUsage = 2,
  kExitNoise = 2,  ///< of `eval diff`: neither better nor worse, see its output
  kExitConfig = 3,
  kExitModel = 4,
  kExitNotVerified = 5,  ///< checks still fail, or there were none
  kExitLimit = 6,        ///< rounds, tokens, time, context window
  kExitDenied = 7,       ///< no success, and an approval that the policy required was not given
  kExitNothingChanged = 8,
  kExitBlocked = 9,   ///< the model reported that the task is impossible
  kExitAgain = 75,    ///< of `batch`: SIGTERM stopped it; the same command continues. EX_TEMPFAIL
                      ///< of sysexits.h, "the user is invited to retry"
  kExitSignal = 128,  ///< plus the number of the signal
};

}  // namespace pedro
