#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/run_observer.h"
#include "base/json.h"
#include "base/result.h"
#include "chat/message.h"
#include "hooks/hook_runner.h"
#include "job/answer_log.h"
#include "secrets/secret_mask.h"
#include "tools/registry.h"

namespace pedro {

/// The user's hooks at the events of a run. Logs answers that a model sees, so that a resumed job
/// has them without the hooks. Other hooks do not run again for complete rounds. Masks secrets in
/// both directions. Borrows all references; one thread.
class RunHooks {
 public:
  /// `secrets` may be null.
  RunHooks(HookRunner runner, const SecretMask* secrets, AnswerLog& answers, RunObserver& observer,
           const CancelToken& cancel)
      : runner_(std::move(runner)),
        secrets_(secrets),
        answers_(answers),
        observer_(observer),
        cancel_(cancel) {}

  enum class Prompt { kTask, kLater };
  /// Asks about the task before the first request, or about a later message of the user. Returns
  /// text to add to it, "" if none. Error (kRefused): a hook blocks it.
  Result<std::string> before_prompt(const std::string& text, Prompt prompt);

  /// Returns a refusal if a hook blocks the call. The caller must log the result of the call.
  Result<std::optional<ToolResult>> before_call(const ToolCall& call, const Registry& registry);
  /// Adds the answer of hooks to a result. The caller must log it afterwards.
  Status after_call(const ToolCall& call, const Registry& registry, ToolResult& result);

  /// Returns the reason of a hook that does not let the phase end.
  Result<std::optional<std::string>> before_end(std::string_view phase, const Json& output);

  /// Runs hooks at an event that nothing can block. `subject` is for their matchers.
  Status notify(HookEvent event, std::string_view subject, Json fields);
  /// Runs the hooks at the end of the job, also if it was interrupted. Their failures change
  /// nothing.
  void end_session(std::string_view outcome);

 private:
  Result<HookAnswer> run(HookEvent event, std::string_view subject, Json fields,
                         const CancelToken& cancel);
  Result<HookAnswer> run(HookEvent event, std::string_view subject, Json fields) {
    return run(event, subject, std::move(fields), cancel_);
  }
  Result<std::optional<Json>> next_answer();

  HookRunner runner_;
  const SecretMask* secrets_;
  AnswerLog& answers_;
  RunObserver& observer_;
  const CancelToken& cancel_;
  bool has_blocked_end_ = false;  // the last time
  std::string call_context_;      // text for the model from before the current call
};

/// Returns the name of a call for hooks: "Bash", "Read", "Edit", "Write", "Grep", "Glob",
/// "mcp__SERVER__TOOL", else the tool's own.
std::string hook_name_of(const ToolCall& call, const Registry& registry);

}  // namespace pedro
