#include "exit_code_text.h"

namespace pedro {
namespace {

constexpr ExitCodeText kExitCodeTexts[] = {
    {"0", "done and verified"},
    {"1",
     "internal error; of `grammar`, `tokens compare`, `format`, `mcp call`, `skills check` and "
     "`eval diff`: no"},
    {"2", "wrong usage, or the repository prevents the job"},
    {"3", "configuration"},
    {"4", "server or model"},
    {"5", "checks still fail, or there are none"},
    {"6", "a limit was reached: rounds, tokens, cost, time or context window"},
    {"7", "no success, and the policy denied something"},
    {"8", "nothing changed"},
    {"9", "blocked: the model reported that the task is impossible"},
    {"75", "of `batch`: stopped by SIGTERM; begin again, the same command continues"},
    {"128 + N", "ended by signal N: 130 by Ctrl-C"},
};

}  // namespace

std::span<const ExitCodeText> exit_code_texts() {
  return kExitCodeTexts;
}

}  // namespace pedro
