#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// A task of a benchmark: a folder with `task.json`, `issue.md`, `repo/` and `hidden/`;
/// docs/eval.md describes it.
struct BenchTask {
  std::string name;    ///< of its folder
  std::string folder;  ///< the path of that
  std::string title;
  std::string language;
  std::string kind;                ///< one of kBenchKinds
  std::vector<std::string> sets;   ///< "tiny", "small"; every task is in "full"
  std::string check;               ///< the visible check, for `sh -c`
  std::string hidden;              ///< the check that decides, once `hidden/` lies over the result
  std::vector<std::string> files;  ///< that the stored solution changes or creates
  std::vector<std::string> needs;  ///< programs that must be in PATH
};

inline constexpr std::string_view kBenchKinds[] = {"line", "function", "file", "feature"};

/// Reads the text of a `task.json`. Errors (kConfig) are "PLACE: KEY: what was expected"; name and
/// folder stay empty.
Result<BenchTask> read_bench_task(std::string_view place, std::string_view text);

/// A choice of tasks in a folder.
struct BenchChoice {
  std::string set = "full";
  std::vector<std::string> names = {};  ///< none: all of the set
};

/// The wanted tasks below `folder`, sorted by name. Errors: kConfig for a broken task, which names
/// file and key; kUsage for a choice without tasks and for a name that is not there.
Result<std::vector<BenchTask>> load_bench_tasks(const FileSystem& files, const std::string& folder,
                                                const BenchChoice& choice);

/// A hash of the files that decide the results of these tasks.
Result<std::string> hash_of_tasks(const FileSystem& files, const std::vector<BenchTask>& tasks);

}  // namespace pedro
