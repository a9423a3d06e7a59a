#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

/// What to run. There is no shell unless `argv` names one.
struct Command {
  std::vector<std::string> argv = {};                   ///< argv[0] is looked up as by find()
  std::string folder = {};                              ///< working folder; empty: ours
  std::map<std::string, std::string> environment = {};  ///< added to ours, or replacing; PATH too
  std::optional<std::string> input = {};  ///< written to stdin; without it stdin is /dev/null
  double timeout_s = 120;                 ///< then the whole process group ends
  /// Also where it printed nothing and did nothing for so long (see IdleWatch); 0: it may.
  double idle_timeout_s = 0;
  std::size_t max_output_bytes = 256u << 10;  ///< kept of each stream: head and tail, as written
  bool merge_streams = false;  ///< stderr goes into `out`, in the order it was written
  bool net = false;            ///< it may use the network also where a sandbox has none
};

/// How it ended. A non-zero exit is a result, not an Error.
struct ProcessResult {
  int exit_code = 0;  ///< 128 + N where signal N ended it
  int signal = 0;
  bool timed_out = false;      ///< by one of the two
  double idle_s = 0;           ///< for so long it had done nothing, which ended it; else 0
  bool left_children = false;  ///< it ended, but had left processes behind, which were ended too
  /// Printable UTF-8 (see make_printable; a byte that is none takes three). Where the output was
  /// too long its middle is "[... N lines, M bytes left out ...]".
  std::string out = {};
  std::string err = {};
  bool out_cut = false;  ///< its middle is missing from `out`
  double duration_s = 0;
  /// What a sandbox has to say: a sentence for each thing that it undid or that may be its doing.
  std::vector<std::string> notes = {};

  bool ok() const { return exit_code == 0 && !timed_out; }
};

/// Starts programs. Implementations are thread-safe.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;

  /// Runs a command and waits for it. It gets a session and a process group of its own (so it has
  /// no terminal to ask at), closed descriptors but 0-2, and PAGER=cat GIT_PAGER=cat
  /// GIT_TERMINAL_PROMPT=0 CI=1 TERM=dumb unless `environment` says otherwise. At the deadline, and
  /// when `cancel` is set, the whole group gets SIGTERM, two seconds later SIGKILL; processes that
  /// outlive the command have 100 ms and are then ended in the same way. Error means that it did
  /// not start (kUsage, "NAME: not found in PATH") or that `cancel` was set (kInterrupted).
  virtual Result<ProcessResult> run(const Command& command, const CancelToken& cancel) = 0;

  /// The path that `name` has in PATH, or "". Relative folders in PATH are not searched, nor those
  /// of the repository that is worked in: they would name a program of the project.
  virtual std::string find(const std::string& name) const = 0;
};

/// Linux. A child that makes itself a new session leaves its group, but is still found: this
/// process becomes the one that orphans fall to (PR_SET_CHILD_SUBREAPER, once and for good), and
/// they are recognised by PEDROCLI_RUN in their environment, or are nobody else's.
class RealProcessRunner : public ProcessRunner {
 public:
  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override;
  std::string find(const std::string& name) const override;
};

/// Answers from a script, for tests; records what was asked.
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

}  // namespace pedro
