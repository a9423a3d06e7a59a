#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// The files that a job moved, and the names that the moves change.
class Moves {
 public:
  /// Pairs deleted files with added ones in another folder or with another name, if the task has
  /// both names. Paths are relative to the root.
  Moves(std::string_view task, const std::set<std::string>& deleted,
        const std::set<std::string>& added);

  /// Returns true if the task asks for no move, or the job moved nothing.
  bool empty() const { return paths_.empty(); }
  /// Returns the new path of a deleted file, the old path of an added one; "" for other files.
  std::string other_path(const std::string& path) const;
  /// Returns a text with one name in place of the old and the new one, as whole words. Two texts
  /// that differ only in these names become equal.
  std::string unified(std::string_view text) const;

 private:
  std::map<std::string, std::string> paths_;  // both ways
  std::map<std::string, std::string> names_;  // one by the other, in each way to write them
};

/// Returns a Makefile without its new sources in lists of rules and of compilers' commands. Also
/// removes copies of rules for them. `sources` are the paths of the new files.
///
///     without_new_sources("t: a.c\n", "t: a.c b.c\n", {"b.c"})  // "t: a.c\n"
std::string without_new_sources(std::string_view before, std::string_view now,
                                const std::set<std::string>& sources);

/// Returns true if a build file only changes as the task says. It may raise versions that the task
/// is about, and add new folders that the task names. `folders` are the folders with new files
/// only. A new build file in one of them is such a change too.
///
///     only_asked_lines("go.mod", "go 1.20\n", "go 1.22\n", "Raise the version.", {})  // true
bool only_asked_lines(std::string_view path, std::string_view before, std::string_view now,
                      std::string_view task, const std::set<std::string>& folders);

}  // namespace pedro
