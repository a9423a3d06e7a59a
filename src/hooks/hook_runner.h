#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "hooks/hook.h"
#include "sys/process.h"

namespace pedro {

/// One run of a hook, for the journal.
struct HookRun {
  HookEvent event = HookEvent::kPreToolUse;
  std::string command;
  int exit_code = 0;
  double seconds = 0;
  bool blocked = false;
  std::string problem = {};  ///< the hook failed and had no effect; "" else
};

/// The answer of all hooks to one event.
struct HookAnswer {
  std::optional<std::string> blocked;  ///< the reason of the first hook that blocks
  std::string context;                 ///< text for the model
};

/// Runs the user's hooks, one after the other, as programs of the user. They run outside of the
/// sandbox, in the project's folder, with the event as JSON on stdin.
///
/// Exit code 2 blocks with stderr as the reason. With exit code 0, JSON on stdout can block too
/// (`decision`, `hookSpecificOutput.permissionDecision`, `continue`) or add text for the model
/// (`additionalContext`). Other text is for the model at SessionStart and UserPromptSubmit. A
/// decision "ask" blocks, because nobody is asked. Events that nothing can block are only reported.
/// Another exit code, a timeout and a failed start have no effect. Keeps 1 MiB of each stream, and
/// 4,000 bytes of a text for the model. One thread.
class HookRunner {
 public:
  /// `common` has the fields of each event. Borrows `processes`.
  HookRunner(std::vector<Hook> hooks, ProcessRunner& processes, std::string folder, Json common)
      : hooks_(std::move(hooks)),
        processes_(processes),
        folder_(std::move(folder)),
        common_(std::move(common)) {}

  /// Returns the project's folder.
  const std::string& folder() const { return folder_; }

  bool has(HookEvent event) const;

  /// Runs the hooks of an event whose matcher fits `subject`. Stops at the first that blocks.
  /// Calls `hear` after each. Errors: kInterrupted; those of `hear`.
  Result<HookAnswer> run(HookEvent event, std::string_view subject, Json fields,
                         const CancelToken& cancel,
                         const std::function<Status(const HookRun&)>& hear) const;

 private:
  Result<HookRun> run_one(const Hook& hook, const std::string& input, const CancelToken& cancel,
                          HookAnswer& answer) const;

  std::vector<Hook> hooks_;
  ProcessRunner& processes_;
  std::string folder_;
  Json common_;
};

}  // namespace pedro
