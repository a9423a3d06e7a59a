#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/descriptor.h"
#include "sys/file_system.h"
#include "sys/kept_copy.h"
#include "sys/landlocked_child.h"
#include "sys/process.h"
#include "sys/resource_limits.h"
#include "sys/sandbox_view.h"
#include "sys/scratch_folder.h"
#include "sys/unix_sockets.h"

namespace pedro {

/// Settings of a sandbox.
struct SandboxSettings {
  bool off = false;
  bool allow_net = false;
  std::vector<std::string> net_commands = {};          ///< those with Command::net, for people
  std::vector<std::string> read = {};                  ///< further paths; "~/" is the user's home
  std::vector<std::string> write = {};                 ///< the same
  std::vector<std::string> environment = {};           ///< names of further variables to pass on
  std::map<std::string, std::string> home_files = {};  ///< what lies in HOME at first, by name
  int max_processes = 4096;
  int max_memory_mb = 0;  ///< data of one process; 0: no limit
  int max_file_mb = 8192;
  int idle_seconds = 0;               ///< see Command::idle_timeout_s, of every command
  std::vector<std::string> own = {};  ///< what pedrocli reads and keeps: no command may write it
  std::vector<std::string> protect = {};  ///< further paths that no command may change, absolute
  std::string copies = {};  ///< a folder for KeptCopy that no command can write to; "": the scratch
};

/// How commands are confined, the strongest level first.
enum class SandboxLevel {
  kBubblewrap,  ///< `bwrap`: a file system, processes and a network of their own, and seccomp
  kLandlock,    ///< the kernel checks every path; no network at all
  kOff,         ///< not at all, because the user says so
};

std::string_view to_string(SandboxLevel level);

/// The means of this machine. Tests remove some.
struct SandboxSupport {
  std::string bubblewrap = {};  ///< the program's path, or ""
  int landlock_abi = 0;
};
SandboxSupport sandbox_support();

/// Confines commands of a model or a project: they see the system's programs, may change the work
/// tree and a scratch folder, which is their HOME and TMPDIR, and reach no network. docs/sandbox.md
/// lists the limits of each level. One per job; its scratch folder goes with it. One thread at a
/// time.
class Sandbox {
 public:
  /// Around the work tree at `tree` (canonical), with the best level that works, which is tried.
  /// Error (kConfig): there is none; it says why not and what to do. The same where commands could
  /// write to one of `settings.own`, be it there or not.
  static Result<Sandbox> open(const SandboxSettings& settings, const std::string& tree,
                              const std::map<std::string, std::string>& environment,
                              const SandboxSupport& support);

  SandboxLevel level() const { return level_; }
  /// One line: "bubblewrap, seccomp; no network; at most 4096 processes, files of 8192 MB".
  std::string description() const;
  /// Sentences about missing protection. Empty at the best level.
  const std::vector<std::string>& gaps() const { return gaps_; }
  /// The folder in which the commands' HOME and TMPDIR lie.
  const std::string& scratch() const { return scratch_.path(); }

 private:
  friend class SandboxRunner;

  Sandbox(SandboxSettings settings, std::string tree, ScratchFolder scratch)
      : settings_(std::move(settings)), tree_(std::move(tree)), scratch_(std::move(scratch)) {}

  // Folders inside the scratch folder that commands cannot remove.
  std::string home() const { return join_path(scratch_.path(), "home"); }
  std::string temporary() const { return join_path(scratch_.path(), "tmp"); }

  Status check_own() const;
  void make_view(const std::map<std::string, std::string>& environment);
  void make_home(const std::string& users_home);
  std::string try_bubblewrap(const SandboxSupport& support);
  std::string try_landlock(const SandboxSupport& support);
  void note_gaps();

  /// Runs before each command, because protected paths and sockets may change.
  void look_at_protected();
  bool has_net(const Command& command) const { return settings_.allow_net || command.net; }
  bool some_have_net() const { return settings_.allow_net || !settings_.net_commands.empty(); }
  ResourceLimits limits_of(const Command& command) const;
  std::map<std::string, std::string> environment_of(const Command& command,
                                                    const std::string& marker) const;
  Status check_visible(const ProgramStart& program) const;
  Status keep();
  std::vector<std::string> put_back();
  Result<ProcessResult> run_in_bubblewrap(const Command& command, const CancelToken& cancel);
  Result<ProcessResult> run_landlocked(const Command& command, const CancelToken& cancel);

  SandboxSettings settings_;
  std::string tree_;
  ScratchFolder scratch_;
  std::vector<std::string> programs_;  ///< folders of PATH that commands could write to
  std::vector<std::string> kept_;      ///< protected paths that no mount holds: links; or all
  std::vector<std::string> missing_;   ///< protected paths that are not there
  std::optional<KeptCopy> copy_;       ///< of `kept_`
  UnixSockets sockets_;
  std::vector<std::string> left_levels_;  ///< why each stronger level was not taken
  SandboxView view_;
  SandboxLevel level_ = SandboxLevel::kOff;
  std::string bubblewrap_;
  Descriptor filter_file_;    ///< the filter as bwrap reads it
  Confinement confinement_;   ///< of Landlock
  SyscallFilter net_filter_;  ///< of commands that have a network where others have none
  std::vector<std::string> gaps_;
};

/// Runs commands inside a sandbox, else as RealProcessRunner does; with one that is off exactly so.
/// ProcessResult::notes says what the sandbox undid and, where a command failed for what looks like
/// it, what the sandbox does not allow. Borrows the sandbox; for one thread at a time.
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
