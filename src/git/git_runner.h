#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "tools/git_command.h"
#include "tools/repository_programs.h"

namespace pedro {

/// Runs git in one work tree with git_command(). Disables the programs in the repository's
/// configuration, and syncs git's writes to disk. Each run has 300 s; all except pushes fail after
/// 20 s without activity. Borrows all references; one thread. Errors: kUsage with git's output, or
/// kInterrupted.
class GitRunner {
 public:
  struct Options {
    std::string input = {};  ///< standard input of git
    std::string index = {};  ///< path of an index other than the repository's
    std::map<std::string, std::string> environment = {};  ///< replaces git_command()'s values
    long long date_s = 0;  ///< of a commit, in seconds since 1970; 0: now
    std::size_t max_output_bytes = std::size_t{32} << 20;
    bool may_be_cut = false;  ///< truncates larger output instead of an error
  };

  /// Opens the work tree that contains `folder`. Errors: kUsage if git is not installed, if there
  /// is no work tree, or if its path is not UTF-8.
  static Result<GitRunner> open(FileSystem& files, ProcessRunner& processes,
                                const CancelToken& cancel, const std::string& folder);

  /// Returns the root of the work tree.
  const std::string& root() const { return root_; }
  /// Returns the absolute path of the work tree's git folder, which contains its index.
  const std::string& git_folder() const { return git_folder_; }
  /// Returns the git folder that all work trees of the repository share, with objects and refs.
  std::string common_folder() const;
  /// The commit that a work tree is at.
  struct Head {
    std::string branch;  ///< without "refs/heads/"; "" if HEAD is detached
    std::string commit;  ///< full id; "" if only git can find it
  };
  /// Reads HEAD from the files of the repository, without a process. Returns nothing where only git
  /// can read it, for example from a reftable. Does not check that the commit exists. Format:
  /// gitrepository-layout(5).
  std::optional<Head> read_head() const;
  /// Returns the variables that disable programs of the repository, as of open().
  const std::map<std::string, std::string>& disabled() const { return programs_.off; }
  /// Returns true if settings of git convert files, or may; attributes of the work tree aside.
  bool converts() const;
  FileSystem& files() const { return *files_; }
  ProcessRunner& processes() const { return *processes_; }
  const CancelToken& cancel() const { return *cancel_; }
  void use(const CancelToken& cancel) { cancel_ = &cancel; }

  /// Returns the output of git. Errors: also kUsage if git exits with a code other than 0, or if
  /// the output is too long. The same if .git is missing: git would use an enclosing repository.
  Result<std::string> run(std::vector<std::string> arguments, const Options& options) const;
  Result<std::string> run(std::vector<std::string> arguments) const {
    return run(std::move(arguments), Options());
  }
  /// The same for a command without output.
  Status perform(std::vector<std::string> arguments, const Options& options) const {
    const auto done = run(std::move(arguments), options);
    return done ? Status() : Status(done.error());
  }
  Status perform(std::vector<std::string> arguments) const {
    return perform(std::move(arguments), Options());
  }
  /// The same as run() for a command whose output never changes, for example about a full id.
  /// Repeats the output of up to 16 such commands with at most 1 MiB each. Any thread.
  Result<std::string> run_once(const std::vector<std::string>& arguments) const;
  /// Returns the options of identity_options(). Asks git only once.
  Result<std::vector<std::string>> identity() const;
  /// Returns git's result with any exit code, for questions that git answers with it.
  Result<ProcessResult> ask(std::vector<std::string> arguments) const;

 private:
  GitRunner(FileSystem& files, ProcessRunner& processes, const CancelToken& cancel)
      : files_(&files), processes_(&processes), cancel_(&cancel) {}

  Result<ProcessResult> run_command(Command command) const;

  FileSystem* files_;
  ProcessRunner* processes_;
  const CancelToken* cancel_;
  std::string root_;
  std::string git_folder_;
  RepositoryPrograms programs_;

  /// The outputs of run_once(), oldest first, and of identity(). Copies share it.
  struct Outputs {
    std::mutex mutex;
    std::optional<std::vector<std::string>> identity;
    std::deque<std::pair<std::vector<std::string>, std::string>> known;
  };
  std::shared_ptr<Outputs> outputs_ = std::make_shared<Outputs>();
};

}  // namespace pedro
