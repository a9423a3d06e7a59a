#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"
#include "tools/tool.h"

namespace pedro {

/// The names that the files of a project define, by universal-ctags. Examines files again only if
/// they changed. Files without tags contribute the names that source_outline.h finds, as
/// find_definitions() falls back to it.
class DefinedNames {
 public:
  static constexpr std::size_t kMaxFiles = 2'000;
  static constexpr std::size_t kMaxNames = 20'000;

  /// Examines these files, relative to the root. Errors: only kInterrupted.
  Status update(ToolContext& context, const std::set<std::string>& paths);

  /// Returns names, and names with their scope: "next", "Parser::next". Sorted. Empty without
  /// universal-ctags, and for more files or names than the limits.
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct File {
    long long modified_ns = 0;
    std::uint64_t bytes = 0;
    std::set<std::string> names;
  };
  void forget_all();

  std::map<std::string, File> files_;
  std::vector<std::string> names_;
};

}  // namespace pedro
