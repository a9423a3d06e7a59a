#pragma once

#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "chat/message.h"
#include "secrets/secret_mask.h"
#include "sys/environment.h"
#include "sys/process.h"
#include "sys/work_tree.h"
#include "tools/line_table.h"
#include "tools/manifest.h"
#include "tools/note_store.h"

namespace pedro::policy {
class Gate;  // policy/policy_gate.h
}

namespace pedro {

struct Check;           // tools/checks.h
class ReferenceFinder;  // tools/reference_finder.h

/// The environment of tools. Borrows everything except `views`. Use it in the job's thread.
struct ToolContext {
  const WorkTree& tree;
  ProcessRunner& processes;  ///< for programs of the tools themselves: git, rg, ctags, gh
  ProcessRunner& commands;   ///< for commands of the model or the project: confined
  NoteStore& notes;
  const Environment& environment;
  const CancelToken& cancel;                   ///< of the job, with its deadline
  const SecretMask* secrets = nullptr;         ///< null: no masking
  const std::vector<Check>* checks = nullptr;  ///< checks of this job; null: detected ones
  policy::Gate* policy = nullptr;              ///< null: everything is allowed
  ReferenceFinder* references = nullptr;       ///< null: references are found by words
  /// Timeout of commands and searches, from the manifest. The registry sets it for each call.
  double timeout_s = 600;
  /// Limit of the result's text; longer texts are truncated and stored. The registry sets it for
  /// each call.
  std::size_t max_result_bytes = 64 * 1024;
  LineViews views = {};  ///< the lines that the model has seen
};

/// The implementation of a manifest. Keeps no state between calls.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual std::string_view name() const = 0;

  /// Returns the shell line equivalent to an action, for the policy's rules; "" if it is not a
  /// command.
  virtual std::string shell_line(const ActionManifest&, const Json& /*args*/) const { return ""; }

  /// Runs one action. `args` conforms to the action's schema, so required parameters exist with
  /// their types. A failure that the model can handle is a result with `ok == false`. Errors stop
  /// the job (kInterrupted, a full disk). The text of the result may be long; the registry limits
  /// it.
  virtual Result<ToolResult> run(const ActionManifest& action, const Json& args,
                                 ToolContext& context) = 0;
};

/// Returns a result with `ok == false`. `text` states the problem and what to try next.
inline ToolResult refuse(std::string text) {
  return ToolResult{false, std::move(text), {}};
}

}  // namespace pedro
