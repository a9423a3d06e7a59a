#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/checks.h"
#include "tools/tool.h"

namespace pedro {

/// A file relevant to a task.
struct TaskFile {
  std::string path;      ///< relative to the root of the work tree
  std::string text;      ///< complete, valid UTF-8, lines separated by "\n"
  bool is_test = false;  ///< by its name or folder, or as a script of a check
  double score = 0;      ///< relative to other files; 0: no clue points to it
  bool crlf = false;     ///< each line ends with "\r\n" on disk
};

/// The texts that describe a task.
struct TaskClues {
  std::string_view issue;
  std::string_view output;  ///< of failing checks; "" if none
};

/// Returns the text files that the clues point to, the most likely first:
/// - files that the clues name
/// - files that define or use identifiers of the clues
/// - files that failing tests import
/// Returns at most kMaxTaskFiles, including all files of a small project. Reads files of at most
/// kMaxTaskFileBytes. Errors: kInterrupted only.
///
///     find_task_files(tools, {.issue = "`total()` in cart.py ...", .output = ""})
///     -> cart.py, test_cart.py, ...
Result<std::vector<TaskFile>> find_task_files(ToolContext& tools, const TaskClues& clues);

/// Returns the file with this path, null if there is none.
const TaskFile* file_at(const std::vector<TaskFile>& files, std::string_view path);

/// Returns `text` with the line ends of the file on disk.
std::string with_line_ends_of(const TaskFile& file, std::string_view text);

inline constexpr std::size_t kMaxTaskFiles = 40;
inline constexpr std::size_t kMaxTaskFileBytes = 64 * 1024;

/// Selects the files that a change for the task most likely concerns, in the same order. Omits
/// tests, and build files and docs that the issue does not name. Omits files with a far lower score
/// than the best.
std::vector<const TaskFile*> likely_files(const std::vector<TaskFile>& files,
                                          std::string_view issue);

/// Marks the files that are tests or scripts of `checks` as tests, unless likely_files() would be
/// empty then. Build files stay: a task may concern them.
void mark_check_files(std::vector<TaskFile>& files, std::span<const Check> checks,
                      std::string_view issue);

/// Returns true for a test by its name or folders: "test_a.py", "a.spec.js", "tests/".
bool is_test_path(std::string_view path);

/// Returns true if a text names a file by its path or its base name.
bool names_file(std::string_view text, std::string_view path);

/// Returns identifiers in a text: in backticks, with "_" or "()", in camel case. Each once, in
/// order, at most `most`.
std::vector<std::string> identifiers_in(std::string_view text, std::size_t most);

}  // namespace pedro
