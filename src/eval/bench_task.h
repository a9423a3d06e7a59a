#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// A benchmark task: a folder with `task.json`, `issue.md`, `repo/` and `hidden/`. docs/eval.md
/// describes the format.
struct BenchTask {
  std::string name;    ///< name of the folder
  std::string folder;  ///< path of the folder
  std::string title;
  std::string language;
  std::string kind;               ///< one of kBenchKinds
  std::vector<std::string> sets;  ///< "tiny", "small"; every task is in "full"
  std::string check;              ///< the visible check, for `sh -c`
  std::string hidden;  ///< the deciding check; runs after `hidden/` is copied over the result
  std::vector<std::string> files;  ///< files that the reference solution changes or creates
  std::vector<std::string> needs;  ///< programs that must be in PATH
};

inline constexpr std::string_view kBenchKinds[] = {"line", "function", "file", "feature"};

/// Parses a `task.json`. Leaves name and folder empty. Errors (kConfig): "PLACE: KEY: expectation".
Result<BenchTask> read_bench_task(std::string_view place, std::string_view text);

/// A selection of tasks in a folder.
struct BenchChoice {
  std::string set = "full";
  std::vector<std::string> names = {};  ///< empty: all tasks of the set
};

/// Returns the selected tasks below `folder`, sorted by name. Errors: kConfig for an invalid task,
/// with file and key; kUsage for an empty selection or an unknown name.
Result<std::vector<BenchTask>> load_bench_tasks(const FileSystem& files, const std::string& folder,
                                                const BenchChoice& choice);

/// Returns a hash of all files that determine the results of these tasks. Errors: unreadable files.
Result<std::string> hash_of_tasks(const FileSystem& files, const std::vector<BenchTask>& tasks);

}  // namespace pedro
