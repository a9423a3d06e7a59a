#pragma once

#include <deque>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/narrow_schema.h"
#include "grammar/tool_calls.h"

namespace pedro {

/// Lists with more paths are replaced by their folders and any name in these.
inline constexpr std::size_t kMaxGroundedPaths = 20'000;
/// A larger file has no grammar of its lines, only their number.
inline constexpr std::size_t kMaxGroundedBytes = 64 * 1024;

/// The names of a project with these files (UTF-8, relative to its root). `complete`: there are no
/// others. Empty where there are too many folders. O(bytes of the paths).
Narrowing narrowing_of_project(const std::set<std::string>& paths, bool complete = true);

/// The names of calls that edit one file, by its text. O(bytes).
Narrowing narrowing_of_file(const std::string& path, std::string_view text);

/// Calls with narrowed arguments. Owns their schemas.
class NarrowedCalls {
 public:
  /// A call by lines or by old text is added once for each of `edited`; all others once.
  void add(const CallBranch& call, const Narrowing& project,
           std::span<const Narrowing* const> edited);
  void clear();

  /// In the order of add(). Valid until the next add() or clear().
  std::span<const CallBranch> calls() const { return calls_; }

 private:
  struct Own {
    Schema schema;
    Json json;
  };
  void add_narrowed(const CallBranch& call, const Narrowing& narrowing);

  std::deque<Own> own_;
  std::vector<CallBranch> calls_;
};

}  // namespace pedro
