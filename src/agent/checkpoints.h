#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agent/repository.h"

namespace pedro {

/// What a work tree was brought back to.
struct Restored {
  int rounds = 0;    ///< the checkpoint's
  int files = 0;     ///< that were written or removed
  std::string kept;  ///< the ref of what was there before; "" where nothing had to change
  /// Those that are at another commit, and stay there: each is a repository.
  std::vector<std::string> submodules = {};
};

/// The files of a work tree as they were after each round of a job, without what git ignores and
/// what builds leave: commits on top of the job's base, under the refs
/// `refs/pedrocli/JOB/checkpoint/ROUNDS`, which no branch, reflog, stash or index knows of. They
/// last until drop(), also when the job is killed. Borrows the repository; one thread.
class Checkpoints {
 public:
  /// `job` is an id for which is_job_id() holds; `taken` are the commits that its journal has, by
  /// the rounds they were taken after. The refs only keep them: commands of a model can write
  /// those.
  Checkpoints(const Repository& repository, std::string job, std::map<int, std::string> taken = {})
      : repository_(repository),
        prefix_("refs/pedrocli/" + job + "/"),
        job_(std::move(job)),
        commits_(std::move(taken)) {}

  /// Keeps the files as they are now, after so many rounds, as what differs from the commit `base`;
  /// the id of the new commit, "" where no file has changed since the last time.
  Result<std::string> take(const std::string& base, int rounds);

  /// Makes the files what they were after `rounds` rounds: the last checkpoint up to there. HEAD,
  /// branches, the index, ignored files and what no job may change (project_settings) stay as they
  /// are, and what was there before is kept under a ref `refs/pedrocli/JOB/kept/N`. Nobody else is
  /// at work in the work tree. An Error has changed nothing: kUsage where there is no such
  /// checkpoint, or a folder with ignored files stands where a file was.
  Result<Restored> restore(int rounds) const;

  /// The same for a job that goes on from there, and of which the journal has `taken`: take() knows
  /// the files then.
  Result<Restored> resume(const std::string& base, int rounds, std::map<int, std::string> taken);

  /// The commit with the files from before the job. Error (kUsage): there is none.
  Result<std::string> before_job() const;

  /// Removes the job's refs, and what a killed job left of its index; git removes what the refs
  /// held in its own time. How many there were.
  Result<int> drop() const;

 private:
  Result<std::string> index_path() const;
  Result<std::vector<ChangedFile>> files_now(const std::string& base) const;
  Result<std::string> commit(const std::string& base, const std::vector<ChangedFile>& files,
                             const std::string& message) const;
  Result<std::pair<int, std::string>> find(int rounds) const;
  Result<std::string> commit_before(const std::string& base, const std::string& target) const;
  Result<std::string> keep(const std::string& commit) const;

  const Repository& repository_;
  std::string prefix_;
  std::string job_;
  std::map<int, std::string> commits_;
  bool taken_ = false;
  std::vector<ChangedFile> last_;
};

}  // namespace pedro
