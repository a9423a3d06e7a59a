#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

/// A command to run, without a shell unless `argv` names one.
struct Command {
  std::vector<std::string> argv = {};  ///< argv[0] is resolved as by find()
  std::string folder = {};             ///< working folder; empty: this process's
  std::map<std::string, std::string> environment =
      {};                                 ///< added to the inherited one; overrides even PATH
  std::optional<std::string> input = {};  ///< written to stdin; without it stdin is /dev/null
  double timeout_s = 120;                 ///< then the whole process group is ended
  /// Also ends the command after this long without output or activity (see IdleWatch); 0: no limit.
  double idle_timeout_s = 0;
  /// Also ends it after this long without output, input, file access, or a start or end of a
  /// process. This also ends endless loops that compute. 0: no limit.
  double spin_timeout_s = 0;
  std::size_t max_output_bytes = 256u << 10;  ///< kept of each stream: head and tail
  bool merge_streams = false;                 ///< stderr goes into `out`, in order of writing
  bool net = false;  ///< allows network access even in a sandbox without it
  /// Borrowed descriptors instead of `input` and the kept `out`, for LineProgram; -1: none.
  int in_fd = -1;
  int out_fd = -1;
};

/// The outcome of a command. A non-zero exit code is a result, not an error.
struct ProcessResult {
  int exit_code = 0;           ///< 128 + N if signal N ended it
  bool timed_out = false;      ///< any timeout ended it
  double idle_s = 0;           ///< the idle time that ended it, in seconds; else 0
  double spin_s = 0;           ///< the same for Command::spin_timeout_s
  bool left_children = false;  ///< it left processes behind when it ended; they were ended too
  /// Printable UTF-8 (see make_printable(); an invalid byte becomes three). The middle of long
  /// output is replaced by "[... N lines, M bytes left out ...]".
  std::string out = {};
  std::string err = {};
  bool out_cut = false;  ///< the middle is missing from `out`
  double duration_s = 0;
  /// Sentences from the sandbox about undone changes and failures it may have caused.
  std::vector<std::string> notes = {};

  bool ok() const { return exit_code == 0 && !timed_out; }
};

/// Starts programs. Implementations are thread-safe.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;

  /// Runs a command and waits for it. It gets its own session and process group (no terminal), and
  /// no descriptors other than 0 to 2. Sets PAGER=cat GIT_PAGER=cat GIT_TERMINAL_PROMPT=0 CI=1
  /// TERM=dumb, unless `environment` overrides them. At a timeout, processes without children get
  /// SIGINT first, so that test runners print the place. One second later, and at once when
  /// `cancel` is set, the whole group gets SIGTERM, and SIGKILL two seconds later. Processes that
  /// outlive the command are ended in the same way after 100 ms. Errors: kUsage, "NAME: not found
  /// in PATH" and other failed starts; kInterrupted if `cancel` was set. kInternal if a pipe cannot
  /// be created.
  virtual Result<ProcessResult> run(const Command& command, const CancelToken& cancel) = 0;

  /// Returns the path of `name` in PATH, or "". Skips relative folders and folders in the current
  /// repository, which could hold programs of the project.
  virtual std::string find(const std::string& name) const = 0;
};

/// Runs commands on Linux. Finds descendants that left the process group by creating a session:
/// this process becomes the reaper of orphans (PR_SET_CHILD_SUBREAPER, permanently). Orphans of a
/// run are identified by PEDROCLI_RUN in their environment, or by belonging to no other run.
class RealProcessRunner : public ProcessRunner {
 public:
  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override;
  std::string find(const std::string& name) const override;
};

/// Answers from a script and records the commands, for tests.
class FakeProcessRunner : public ProcessRunner {
 public:
  Result<ProcessResult> run(const Command& command, const CancelToken&) override {
    commands.push_back(command);
    return answer ? answer(command) : Result<ProcessResult>(ProcessResult{});
  }
  std::string find(const std::string& name) const override {
    for (const std::string& known : installed) {
      if (known == name) return "/usr/bin/" + name;
    }
    return "";
  }

  std::function<Result<ProcessResult>(const Command&)> answer;
  std::vector<Command> commands;
  std::vector<std::string> installed;
};

/// Runs commands with another runner. Calls a function with each command after its end, also after
/// an error. Borrows the runner.
class AfterRunner : public ProcessRunner {
 public:
  AfterRunner(ProcessRunner& commands, std::function<void(const Command&)> after)
      : commands_(commands), after_(std::move(after)) {}

  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override {
    Result<ProcessResult> result = commands_.run(command, cancel);
    after_(command);
    return result;
  }
  std::string find(const std::string& name) const override { return commands_.find(name); }

 private:
  ProcessRunner& commands_;
  std::function<void(const Command&)> after_;
};

}  // namespace pedro
