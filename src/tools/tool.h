#pragma once

#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "base/secret_mask.h"
#include "chat/message.h"
#include "sys/environment.h"
#include "sys/process.h"
#include "sys/work_tree.h"
#include "tools/line_views.h"
#include "tools/manifest.h"
#include "tools/note_store.h"

namespace pedro {

struct Check;      // tools/checks.h
class PolicyGate;  // tools/policy_gate.h

/// The environment of tools. Borrows everything except `views`. Belongs to the thread of the job.
struct ToolContext {
  const WorkTree& tree;
  ProcessRunner& processes;  ///< for programs that tools themselves need: git, rg, ctags, gh
  ProcessRunner& commands;   ///< for all that the model or the project wrote: confined
  NoteStore& notes;
  const Environment& environment;
  const CancelToken& cancel;                   ///< of the job, with its deadline
  const SecretMask* secrets = nullptr;         ///< null: nothing is masked
  const std::vector<Check>* checks = nullptr;  ///< in force for this job; null: as detected
  PolicyGate* policy = nullptr;                ///< null: everything may be done
  /// For bash, tests, git and searches: the manifest's. Set by the registry for every call.
  double timeout_s = 600;
  /// Of the result's text; more is cut and spilled. Set by the registry for every call.
  std::size_t max_result_bytes = 64 * 1024;
  LineViews views = {};  ///< the lines that the model has seen
};

/// The code behind a manifest. Has no state that outlives a call.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual std::string_view name() const = 0;

  /// What an action comes to as a line for a shell, for the policy's rules; "": it is no command.
  virtual std::string shell_line(const ActionManifest&, const Json& /*args*/) const { return ""; }

  /// Runs one action. `args` has passed the action's schema, so required parameters are there with
  /// their types. A failure that the model can do something about is a result with `ok == false`;
  /// an Error stops the job (kInterrupted, a full disk). The result's text may be long: the
  /// registry bounds it.
  virtual Result<ToolResult> run(const ActionManifest& action, const Json& args,
                                 ToolContext& context) = 0;
};

/// A result with `ok == false`: what is wrong and what to try next.
inline ToolResult refuse(std::string text) {
  return ToolResult{false, std::move(text), {}};
}

}  // namespace pedro
