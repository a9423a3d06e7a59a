#include "git/commit_check.h"

#include "git/commit_files.h"
#include "sys/environment.h"
#include "sys/scratch_folder.h"

namespace pedro {
namespace {

/// Compares the work tree with a checkout of the commit.
Status compare(const Repository& repository, const std::string& commit,
               const std::set<std::string>& paths, CommitCheck& check) {
  if (paths.empty()) return {};
  PEDRO_TRY(const auto scratch,
            ScratchFolder::make_outside(repository.root(), real_environment().get("TMPDIR")));
  const std::string folder = join_path(scratch.path(), "files");
  if (Status out = CommitFiles(repository.git()).check_out_below(folder, commit, paths); !out)
    return out;
  for (const std::string& path : paths) {
    const Likeness like =
        likeness(repository.files(), join_path(repository.root(), path), join_path(folder, path));
    if (like == Likeness::kOther) check.otherwise.insert(path);
    if (like == Likeness::kOtherLineEnds) check.line_ends.insert(path);
  }
  return {};
}

}  // namespace

Result<CommitCheck> check_commit(const Repository& repository, const std::string& commit,
                                 const std::string& base, const std::vector<ChangedFile>& files) {
  PEDRO_TRY(const auto made, CommitFiles(repository.git()).difference(base, commit));
  CommitCheck check;
  for (const ChangedFile& file : made) check.otherwise.insert(file.path);
  std::set<std::string> here;
  std::set<std::string> gone;
  for (const ChangedFile& file : files) {
    check.otherwise.erase(file.path);
    const std::string path = join_path(repository.root(), file.path);
    const FileKind kind = repository.files().link_info(path).kind;
    if (kind == FileKind::kMissing) gone.insert(file.path);
    if (kind == FileKind::kFile || kind == FileKind::kSymlink) here.insert(file.path);
  }
  PEDRO_TRY(const auto missing, CommitFiles(repository.git()).not_in(commit, here));
  PEDRO_TRY(const auto really_gone, CommitFiles(repository.git()).not_in(commit, gone));
  for (const std::string& path : missing) here.erase(path);
  for (const std::string& path : really_gone) gone.erase(path);
  check.otherwise.insert(gone.begin(), gone.end());
  check.otherwise.insert(missing.begin(), missing.end());
  if (Status compared = compare(repository, commit, here, check); !compared)
    return compared.error();
  return check;
}

}  // namespace pedro
