#pragma once

namespace pedro {

/// The documented exit codes.
enum ExitCode {
  kExitDone = 0,  ///< done and verified
  kExitInternal = 1,
  kExitNo = 1,  ///< of `grammar`: there are errors, the text does not match, the schema loses;
                ///< of `tokens compare`: they differ; of `format`: not valid; of `batch`: not all
                ///< succeeded; of `eval diff`: worse
  kExitUsage = 2,
  kExitNoise = 2,  ///< of `eval diff`: neither better nor worse, as its output says
  kExitConfig = 3,
  kExitModel = 4,
  kExitNotVerified = 5,  ///< checks still fail, or there were none to run
  kExitLimit = 6,        ///< rounds, tokens, time, window
  kExitDenied = 7,       ///< no success, and a policy wanted somebody to be asked who did not agree
  kExitNothingChanged = 8,
  kExitBlocked = 9,   ///< the model reported that the task is impossible
  kExitSignal = 128,  ///< plus the signal's number
};

}  // namespace pedro
