#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro {

/// All tools of the program. Immutable once made; `run` may be called from one thread at a time.
class Registry {
 public:
  /// The built-in tools with their embedded manifests. A manifest `NAME.json`/`NAME.md` in
  /// `override_folder` replaces the embedded one of that name; a file there that belongs to no tool
  /// is an error. An empty folder name means no overrides.
  static Result<Registry> open(const FileSystem& files, const std::string& override_folder);

  /// Sorted by name.
  const std::vector<Manifest>& manifests() const { return manifests_; }
  const Manifest* find(std::string_view tool) const;
  std::vector<std::string> names() const;

  /// Checks the call against the schema of its action and runs it. What the model did wrong (no
  /// such tool, action or parameter) is a result that says what there is. The text of the result
  /// is made printable, loses secrets and the work tree's path, and is bounded by the smaller of
  /// the manifest's limit and `allowance_bytes`: head and tail stay, the whole is spilled under an
  /// id that `context recall` reads.
  Result<ToolResult> run(const ToolCall& call, std::size_t allowance_bytes, ToolContext& context);

 private:
  std::vector<Manifest> manifests_;
  std::vector<std::unique_ptr<Tool>> tools_;  // in the order of manifests_
};

}  // namespace pedro
