#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/kept_copy.h"
#include "sandbox/landlocked_child.h"
#include "sandbox/resource_limits.h"
#include "sandbox/sandbox_view.h"
#include "sys/descriptor.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "sys/repositories.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// Settings of a sandbox.
struct SandboxSettings {
  bool off = false;
  bool allow_net = false;
  std::vector<std::string> net_commands = {};  ///< display names of commands with Command::net
  std::vector<std::string> read = {};          ///< additional paths; "~/" is the user's home
  std::vector<std::string> write = {};         ///< additional paths, as for `read`
  std::vector<std::string> environment = {};   ///< names of additional variables to pass
  std::map<std::string, std::string> home_files = {};  ///< initial files in HOME, by name
  int max_processes = 4096;
  int max_memory_mb = 0;  ///< data segment of one process; 0: no limit
  int max_file_mb = 8192;
  int idle_seconds = 0;                   ///< Command::idle_timeout_s of every command
  std::vector<std::string> own = {};      ///< pedrocli's own files: no command may write them
  std::vector<std::string> protect = {};  ///< more paths that no command may change, absolute
  /// Disables new repositories after the last of the job's sandboxes, which share it.
  std::shared_ptr<RepositoryWatch> watch = {};
  std::string copies = {};  ///< KeptCopy's folder, not writable for commands; "": the scratch
};

/// Levels of confinement, strongest first.
enum class SandboxLevel {
  kBubblewrap,  ///< `bwrap`: own file system, processes and network, and seccomp
  kLandlock,    ///< the kernel checks every path; no network
  kOff,         ///< no confinement, at the user's request
};

std::string_view to_string(SandboxLevel level);

/// The sandbox mechanisms of this machine. Tests remove some.
struct SandboxSupport {
  std::string bubblewrap = {};  ///< path of the program, or ""
  int landlock_abi = 0;
};
SandboxSupport sandbox_support();

/// Confines commands of a model or a project. They see the system's programs, and may change the
/// work tree and a scratch folder (with their HOME and TMPDIR). They have no network.
/// docs/sandbox.md lists the limits of each level. Use one per job; it removes its scratch folder.
/// One thread at a time.
///
///     PEDRO_TRY(Sandbox sandbox, Sandbox::open(settings, tree, environment, sandbox_support()));
///     SandboxRunner runner(sandbox);
///     PEDRO_TRY(const ProcessResult result, runner.run({.argv = {"make", "test"}}, cancel));
class Sandbox {
 public:
  /// Creates a sandbox around the work tree at `tree` (canonical), with the strongest level that
  /// works in a trial. Errors: kConfig if no level works, with the reasons and a remedy. Also if
  /// commands could write to one of `settings.own` (existing or not). Others if there is no scratch
  /// folder.
  static Result<Sandbox> open(const SandboxSettings& settings, const std::string& tree,
                              const std::map<std::string, std::string>& environment,
                              const SandboxSupport& support);

  SandboxLevel level() const { return level_; }
  /// Returns one line: "bubblewrap, seccomp; no network; at most 4096 processes, files of 8192 MB".
  std::string description() const;
  /// Returns sentences about missing protection. Empty at the best level, except as root.
  const std::vector<std::string>& gaps() const { return gaps_; }
  /// Returns the folder that contains the commands' HOME and TMPDIR.
  const std::string& scratch() const { return scratch_.path(); }

 private:
  friend class SandboxRunner;

  Sandbox(SandboxSettings settings, std::string tree, ScratchFolder scratch)
      : settings_(std::move(settings)), tree_(std::move(tree)), scratch_(std::move(scratch)) {}

  // Subfolders of the scratch folder, which commands cannot remove.
  std::string home() const { return join_path(scratch_.path(), "home"); }
  std::string temporary() const { return join_path(scratch_.path(), "tmp"); }

  Status check_own() const;
  void make_view(const std::map<std::string, std::string>& environment);
  void make_home(const std::string& users_home);
  std::string try_bubblewrap(const SandboxSupport& support);
  std::string try_landlock(const SandboxSupport& support);
  void note_gaps();

  /// Updates the protected paths and sockets, which may change between commands.
  void look_at_protected();
  bool has_net(const Command& command) const { return settings_.allow_net || command.net; }
  bool some_have_net() const { return settings_.allow_net || !settings_.net_commands.empty(); }
  ResourceLimits limits_of(const Command& command) const;
  std::size_t max_threads() const;
  std::map<std::string, std::string> environment_of(const Command& command,
                                                    const std::string& marker) const;
  Status check_visible(const ProgramStart& program) const;
  Status keep();
  void put_back();
  Result<ProcessResult> run_in_bubblewrap(const Command& command, const CancelToken& cancel);
  Result<ProcessResult> run_landlocked(const Command& command, const CancelToken& cancel);

  SandboxSettings settings_;
  std::string tree_;
  ScratchFolder scratch_;
  std::vector<std::string> programs_;  ///< folders of PATH that commands could write to
  std::vector<std::string> kept_;      ///< protected paths without a mount: links; or all
  std::vector<std::string> missing_;   ///< protected paths that do not exist
  std::optional<KeptCopy> copy_;       ///< of `kept_`
  std::vector<std::string> undone_;    ///< sentences about undone changes, for the next result
  UnixSockets sockets_;
  std::vector<std::string> left_levels_;  ///< reasons against stronger levels
  SandboxView view_;
  SandboxLevel level_ = SandboxLevel::kOff;
  std::string bubblewrap_;
  Descriptor filter_file_;    ///< the filter as bwrap's input
  Confinement confinement_;   ///< for Landlock
  SyscallFilter net_filter_;  ///< for commands with network, if others have none
  std::vector<std::string> gaps_;
};

/// Runs commands inside a sandbox; with level kOff, exactly as RealProcessRunner does.
/// ProcessResult::notes reports undone changes. If output mentions a refusal, it also lists the
/// limits of the sandbox. Borrows the sandbox. One thread at a time.
class SandboxRunner : public ProcessRunner {
 public:
  explicit SandboxRunner(Sandbox& sandbox) : sandbox_(sandbox) {}

  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override;
  std::string find(const std::string& name) const override { return processes_.find(name); }

 private:
  Sandbox& sandbox_;
  RealProcessRunner processes_;
};

}  // namespace pedro
