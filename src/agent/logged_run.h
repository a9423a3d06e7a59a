#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "agent/run_diagnostics.h"
#include "agent/run_hooks.h"
#include "base/result.h"
#include "chat/message.h"
#include "job/answer_log.h"
#include "llm/forwarding_model.h"
#include "tools/registry.h"

namespace pedro {

/// A model whose replies are stored in a job's log. Replays the replies of an earlier process if
/// the conversation is the same. The model then only restores its state. Borrows both; one thread.
class LoggedModel : public ForwardingModel {
 public:
  LoggedModel(Model& model, AnswerLog& log) : ForwardingModel(model), log_(log) {}

  /// Calls `on_wait` after each request with its begin and end, in ms since 1970-01-01 UTC.
  void on_wait(std::function<void(long long, long long)> on_wait) { on_wait_ = std::move(on_wait); }

  /// Errors: kUsage if the conversation differs from the logged one; errors of the model and the
  /// log.
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  /// The number is logged: a resumed job makes the same requests in the same order.
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override;
  void begin_anew() override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 private:
  Result<Reply> answer(const GenerateRequest& request, Asked where);

  AnswerLog& log_;
  std::function<void(long long, long long)> on_wait_;
  std::size_t hashed_ = 0;  // number of messages already hashed
};

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
