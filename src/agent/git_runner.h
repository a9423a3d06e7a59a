#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "tools/git_command.h"
#include "tools/repository_programs.h"

namespace pedro {

/// Runs git in one work tree: as git_command() has it, without the programs that the repository's
/// configuration names, and so that what it writes is on the disk when it ends. Each run has 300 s.
/// Borrows everything; belongs to one thread. Errors are kUsage, with git's own words, or
/// kInterrupted.
class GitRunner {
 public:
  struct Options {
    std::string input = {};  ///< what git reads
    std::string index = {};  ///< the path of another index than the repository's
    std::map<std::string, std::string> environment = {};
    long long date_s = 0;  ///< of a commit, in seconds since 1970; 0: now
    std::size_t max_output_bytes = std::size_t{32} << 20;
    bool may_be_cut = false;  ///< more output than that is no error
  };

  /// In the work tree that `folder` lies in. Refused, each in its own words: git is not installed,
  /// no work tree.
  static Result<GitRunner> open(FileSystem& files, ProcessRunner& processes,
                                const CancelToken& cancel, const std::string& folder);

  /// The top of the work tree.
  const std::string& root() const { return root_; }
  FileSystem& files() const { return *files_; }
  ProcessRunner& processes() const { return *processes_; }
  const CancelToken& cancel() const { return *cancel_; }
  void use(const CancelToken& cancel) { cancel_ = &cancel; }

  /// What git printed. Error where it did not exit with 0, printed more than may be, or the
  /// repository is gone: git would go on with one around it.
  Result<std::string> run(std::vector<std::string> arguments, const Options& options) const;
  Result<std::string> run(std::vector<std::string> arguments) const {
    return run(std::move(arguments), Options());
  }
  /// How git ended, whichever way that is: a question that it answers with its exit code.
  Result<ProcessResult> ask(std::vector<std::string> arguments) const;

 private:
  GitRunner(FileSystem& files, ProcessRunner& processes, const CancelToken& cancel)
      : files_(&files), processes_(&processes), cancel_(&cancel) {}

  Result<ProcessResult> run_command(Command command) const;

  FileSystem* files_;
  ProcessRunner* processes_;
  const CancelToken* cancel_;
  std::string root_;
  RepositoryPrograms programs_;
};

}  // namespace pedro
