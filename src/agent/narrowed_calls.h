#pragma once

#include <deque>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema_to_gbnf/narrow_schema.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// The largest number of paths. Above it, a path is any name in an existing folder.
inline constexpr std::size_t kMaxGroundedPaths = 20'000;
/// The largest file size. Above it, old text is free and only line numbers are bounded.
inline constexpr std::size_t kMaxGroundedBytes = 64 * 1024;

/// Returns the names of a project with these files (UTF-8, relative to its root). `complete` is
/// false if there are more files. Empty if there are too many folders. O(bytes of the paths).
Narrowing narrowing_of_project(const std::set<std::string>& paths, bool complete = true);

/// Adds the names of definitions to a project; none: any name. Requires sorted, distinct names.
void narrow_symbols(Narrowing& project, const std::vector<std::string>& names);

/// Returns the names for calls that edit one file. O(bytes of the text).
Narrowing narrowing_of_file(const std::string& path, std::string_view text);

/// Calls with narrowed arguments. Owns their schemas.
class NarrowedCalls {
 public:
  /// Adds a call. A call that edits by lines or old text is added once per element of `edited`.
  void add(const CallBranch& call, const Narrowing& project,
           std::span<const Narrowing* const> edited);
  void clear();

  /// Returns the calls in the order of add(). Valid until the next add() or clear().
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
