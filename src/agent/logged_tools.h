#pragma once

#include <cstddef>

#include "agent/run_diagnostics.h"
#include "agent/run_hooks.h"
#include "base/result.h"
#include "chat/message.h"
#include "job/answer_log.h"
#include "tools/registry.h"

namespace pedro {

/// The tools of a job, with the user's hooks around each call and the problems that edits
/// introduce. Results are stored in the job's log; those of an earlier process come from there,
/// without them. Borrows all references; one thread.
class LoggedTools {
 public:
  /// `hooks` and `diagnostics` may be null.
  LoggedTools(Registry& registry, ToolContext& context, AnswerLog& answers, RunHooks* hooks,
              RunDiagnostics* diagnostics)
      : registry_(registry),
        context_(context),
        answers_(answers),
        hooks_(hooks),
        diagnostics_(diagnostics) {}

  /// Runs a call, see Registry::run(). Errors: also those of the log and of hooks.
  Result<ToolResult> run(const ToolCall& call, std::size_t allowance_bytes);

 private:
  Result<ToolResult> run_with_hooks(const ToolCall& call, std::size_t allowance_bytes);
  Result<ToolResult> run_tool(const ToolCall& call, std::size_t allowance_bytes);

  Registry& registry_;
  ToolContext& context_;
  AnswerLog& answers_;
  RunHooks* hooks_;
  RunDiagnostics* diagnostics_;
};

}  // namespace pedro
