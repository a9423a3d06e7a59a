#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro {

/// All tools of the program. Immutable once a job begins. `run` must not be called concurrently.
class Registry {
 public:
  /// Creates the built-in tools with their embedded manifests. A manifest `NAME.json` or `NAME.md`
  /// in `override_folder` ("": none) replaces the embedded one. Errors (kConfig): invalid
  /// manifests; a file there that belongs to no tool.
  static Result<Registry> open(const FileSystem& files, const std::string& override_folder);

  /// Adds a tool of a third party. Returns false if its name is taken.
  bool add(Manifest manifest, std::unique_ptr<Tool> tool);

  /// Sorted by name, then those of third parties.
  const std::vector<Manifest>& manifests() const { return manifests_; }
  const Manifest* find(std::string_view tool) const;
  /// Returns the call that reaches a tool. An action with targets forwards `arguments` to the tool
  /// that the call names; other calls are returned unchanged.
  ToolCall resolved(const ToolCall& call) const;
  std::vector<std::string> names() const;

  /// Repairs the call (check_args()), validates it and runs it. Errors of the model (an
  /// unknown tool, action or parameter) yield a result that lists the valid ones. The result's text
  /// is made printable; secrets and the work tree's path are removed. It is limited to the smaller
  /// of the manifest's limit and `allowance_bytes`, by omitting the middle. The whole text is then
  /// stored under an id for `context recall`. Errors stop the job: kInterrupted, a full disk.
  Result<ToolResult> run(const ToolCall& call, std::size_t allowance_bytes, ToolContext& context);

 private:
  std::vector<Manifest> manifests_;
  std::vector<std::unique_ptr<Tool>> tools_;  // in the order of manifests_
};

}  // namespace pedro
