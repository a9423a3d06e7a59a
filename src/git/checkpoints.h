#pragma once

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "git/raw_view.h"
#include "git/repository.h"
#include "git/work_tree_shape.h"

namespace pedro {

/// The result of restoring a work tree.
struct Restored {
  int rounds = 0;    ///< rounds of the checkpoint
  int files = 0;     ///< number of files written or removed
  std::string kept;  ///< ref of the previous state; "" if no file changed
  int shape = 0;     ///< number of other changes, see WorkTreeShape
  /// Submodules at another commit. They are not moved, since each is a repository.
  std::vector<std::string> submodules = {};
};

/// Snapshots of a work tree after each round of a job, without ignored and generated files. They
/// have the files' bytes, whatever git's attributes say. The first one also has generated files
/// that git does not ignore, unless they exceed 1000 files or 64 MiB. It also has ignored
/// `.gitignore` files, and the WorkTreeShape in its message. Files of git LFS that are unchanged
/// from the base are in no snapshot: git LFS has their bytes. Each snapshot is a commit on the
/// job's base under the ref `refs/pedrocli/JOB/checkpoint/ROUNDS`. No branch, reflog, stash or
/// index refers to it. Snapshots persist until drop(), even if the job is killed. Borrows the
/// repository; one thread.
///
///     Checkpoints checkpoints(repository, job);
///     PEDRO_TRY(const std::string before, checkpoints.take(base, 0));
///     PEDRO_TRY(const Restored restored, checkpoints.restore(0));  // restored.kept: a ref
class Checkpoints {
 public:
  /// `job` must satisfy is_job_id(). `taken` maps rounds to the commits recorded in the job's
  /// journal. The journal is authoritative, since a model's commands can write refs; refs only
  /// protect the commits from git's garbage collection.
  Checkpoints(const Repository& repository, std::string job, std::map<int, std::string> taken = {})
      : repository_(repository),
        prefix_("refs/pedrocli/" + job + "/"),
        job_(std::move(job)),
        commits_(std::move(taken)) {}

  /// Takes a snapshot of the files after `rounds` rounds, as a commit on `base`. Returns its id, or
  /// "" if no file has changed since the last snapshot. The `.gitignore` files of the first one
  /// decide what was ignored before the job, see Repository::add_rules_of().
  Result<std::string> take(const std::string& base, int rounds);

  /// Restores the files of the last checkpoint at or before `rounds`. HEAD, branches, the index,
  /// ignored files and project settings (is_project_setting()) stay unchanged. `only_jobs` also
  /// keeps files that are the same in all checkpoints, or that the user changed. It is not for a
  /// job that was killed during a round. `ended_ns`: the job's end, since 1970; later changes of
  /// permissions, empty folders and hard links are the user's. The previous state is kept under a
  /// ref `refs/pedrocli/JOB/kept/N`. The work tree must not change during the call. Errors leave
  /// all files except pipes, sockets and devices unchanged. Error kUsage if the checkpoint does not
  /// exist, or if a folder with ignored files replaces a file.
  Result<Restored> restore(int rounds, bool only_jobs = false,
                           long long ended_ns = std::numeric_limits<long long>::max()) const;

  /// Restores permissions and hard links of files, and empty folders next to them, from before the
  /// job. For files that git has written.
  void restore_shape(std::set<std::string> written) const;

  /// Restores the files for a job that continues from there. `taken` are the commits in its
  /// journal. take() then compares with these files.
  Result<Restored> resume(const std::string& base, int rounds, std::map<int, std::string> taken);

  /// Continues with the commits in the job's journal, but with the current files.
  void continue_with(std::map<int, std::string> taken);

  /// Returns the commit with the files after `rounds` rounds; 0: before the job. Errors: kUsage if
  /// it does not exist.
  Result<std::string> at(int rounds) const;

  /// The effect of drop() on the refs with the files that undos replaced.
  enum class KeptRefs { kStay, kGo };
  /// The refs after drop().
  struct Dropped {
    int refs = 0;      ///< number of deleted refs
    std::string kept;  ///< prefix of refs that stay, with the files replaced by undos; "": none
  };
  /// Deletes the job's checkpoints, its IgnoredCopies and a leftover index of a killed job. Git's
  /// garbage collection deletes the commits later.
  Result<Dropped> drop(KeptRefs kept) const;

 private:
  Result<std::string> index_path() const;
  /// The contents of the first snapshot's message.
  struct Story {
    WorkTreeShape shape;
    std::set<std::string> lfs;  // files that git LFS restores
  };

  Result<std::vector<ChangedFile>> files_now(const std::string& base) const;
  bool are_many(const std::vector<ChangedFile>& files) const;
  Result<std::vector<ChangedFile>> more_before_job(const std::string& base) const;
  Status add_raw(const std::string& base, int rounds, std::vector<ChangedFile>& files,
                 std::vector<ChangedFile>& same);
  Status take_lfs(std::vector<ChangedFile>& files);
  Result<std::string> message_of(const std::string& commit) const;
  Result<Story> story() const;
  Result<std::pair<int, std::string>> find(int rounds) const;
  Result<std::set<std::string>> changed_by_user(const std::string& commit) const;
  Status drop_only_before(std::set<std::string>& jobs) const;
  Status remove_special(const std::vector<ChangedFile>& changes) const;
  Status require_no_ignored(const std::vector<ChangedFile>& changes) const;
  Result<std::vector<ChangedFile>> hidden_by_job(const std::string& base,
                                                 const std::set<std::string>& known,
                                                 long long ended_ns) const;
  Result<std::string> commit_before(const std::string& base, const std::string& target,
                                    const std::set<std::string>& lfs, const std::string& ref,
                                    std::vector<ChangedFile> hidden, RawView& raw) const;
  Result<std::string> next_kept() const;
  Status smudge(const std::string& base, const std::set<std::string>& lfs,
                const std::vector<ChangedFile>& written) const;

  const Repository& repository_;
  std::string prefix_;
  std::string job_;
  std::map<int, std::string> commits_;
  bool taken_ = false;
  std::vector<ChangedFile> last_;
  std::optional<bool> converts_;                     // git's attributes may convert files
  std::optional<std::set<std::string>> raw_before_;  // files of `base` that the first one changes
  std::set<std::string> lfs_;
  RawView raw_;
};

}  // namespace pedro
