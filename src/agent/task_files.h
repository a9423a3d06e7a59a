#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/tool.h"

namespace pedro {

/// A file that a task is about.
struct TaskFile {
  std::string path;      ///< relative to the root of the work tree
  std::string text;      ///< all of it, valid UTF-8
  bool is_test = false;  ///< by its name or folder
  double score = 0;      ///< compared with that of the other files; 0: nothing points to it
};

/// The texts that say what a task is about.
struct TaskClues {
  std::string_view issue;
  std::string_view output;  ///< of failing checks; "" where there is none
};

/// The text files that the clues point to, the most likely first: files that the clues name, files
/// that define or use the identifiers of the clues, files that failing tests import. At most
/// kMaxTaskFiles; a project of few files comes whole. Reads files of at most kMaxTaskFileBytes.
/// Error: kInterrupted only.
///
///     find_task_files(tools, {.issue = "`total()` in cart.py ...", .output = ""})
///     -> cart.py, test_cart.py, ...
Result<std::vector<TaskFile>> find_task_files(ToolContext& tools, const TaskClues& clues);

inline constexpr std::size_t kMaxTaskFiles = 40;
inline constexpr std::size_t kMaxTaskFileBytes = 64 * 1024;

/// True if a path looks like a test by its name or its folders: "test_a.py", "a.spec.js",
/// "tests/".
bool is_test_path(std::string_view path);

/// True if a text names a file by its path or its base name.
bool names_file(std::string_view text, std::string_view path);

/// Names in a text that a program could have: in backquotes, with "_" or "()", in camel case. Each
/// once, in order, at most `most`.
std::vector<std::string> identifiers_in(std::string_view text, std::size_t most);

}  // namespace pedro
