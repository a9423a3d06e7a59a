#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "chat/message.h"
#include "diagnostics/edit_reporter.h"
#include "tools/registry.h"

namespace pedro {

/// Adds the problems that an edit of the model introduces to the result of the edit. The caller
/// must log the result, so that a resumed job has the same text. One thread.
class RunDiagnostics {
 public:
  explicit RunDiagnostics(diagnostics::EditReporter reporter) : reporter_(std::move(reporter)) {}

  /// The file of a call that may edit it.
  struct Before {
    std::string path;                 ///< as the call names it
    std::optional<std::string> text;  ///< nullopt: there was no file
  };
  /// Returns nullopt for calls that edit no file, and for unreadable ones.
  std::optional<Before> before_call(const ToolCall& call, const Registry& registry,
                                    const ToolContext& tools) const;
  /// Puts new problems before the text of a successful result, with secrets masked. Error:
  /// kInterrupted.
  Status after_call(const Before& before, const ToolContext& tools, ToolResult& result);

 private:
  diagnostics::EditReporter reporter_;
};

}  // namespace pedro
