#include "git/nested_work.h"

#include <string_view>

#include "git/git_runner.h"
#include "sys/repositories.h"

namespace pedro {
namespace {

constexpr std::string_view kGitName = ".git";

// Returns true if git lists a change, or fails.
Result<bool> has_nested_work(const std::string& folder, FileSystem& files, ProcessRunner& processes,
                             const CancelToken& cancel) {
  const auto git = GitRunner::open(files, processes, cancel, folder);
  const auto listed =
      git ? git->run({"status", "--porcelain=v1", "--untracked-files=normal", "--no-renames"},
                     {.may_be_cut = true})
          : Result<std::string>(git.error());
  if (listed) return !listed->empty();
  if (listed.error().kind == ErrorKind::kInterrupted) return listed.error();
  return true;
}

}  // namespace

Result<std::vector<std::string>> nested_work(const std::string& root,
                                             const std::vector<std::string>& repositories,
                                             FileSystem& files, ProcessRunner& processes,
                                             const CancelToken& cancel) {
  std::vector<std::string> found;
  for (const std::string& git : repositories) {
    if (base_name(git) != kGitName || is_product(git, root)) continue;
    const std::string folder(folder_name(git));
    PEDRO_TRY(const bool has_work, has_nested_work(folder, files, processes, cancel));
    if (has_work) found.push_back(folder);
  }
  return found;
}

}  // namespace pedro
