#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"
#include "sys/git_links.h"
#include "sys/guard_note.h"
#include "sys/guarded_paths.h"
#include "sys/nested_repositories.h"
#include "sys/process.h"
#include "sys/sandbox_child.h"
#include "sys/sandbox_view.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// What a user may set of it.
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
  int idle_seconds = 0;  ///< see Command::idle_timeout_s, of every command
  std::vector<std::string> own =
      {};                  ///< what pedrocli reads and keeps: nobody else may write there
  std::string notes = {};  ///< a folder for GuardNote, which no command can write to; "": none
};

/// By what means commands are confined, the strongest first.
enum class SandboxLevel {
  kNamespaces,  ///< a file system, processes and a network of their own, and Landlock, where it is
  kLandlock,    ///< the kernel checks every path; no network at all
  kBubblewrap,  ///< `bwrap` makes the namespaces, where only it may
  kOff,         ///< not at all, because the user says so
};

std::string_view to_string(SandboxLevel level);

/// What this machine can do; open() finds it out, tests take some of it away.
struct SandboxSupport {
  bool namespaces = true;  ///< as far as an attempt shows
  int landlock_abi = 0;
  std::string bubblewrap = {};  ///< the program's path, or ""
};
SandboxSupport sandbox_support();

/// A place where commands run that nobody here has written: they see the system's programs, may
/// change the work tree and a scratch folder, which is their HOME and TMPDIR, and reach no network.
/// docs/sandbox.md says what each level holds back. One for a job; what lies in the scratch folder
/// stays from command to command, and goes with this value. For one thread at a time.
class Sandbox {
 public:
  /// Around the work tree at `tree` (canonical), with the best level that works, which is tried.
  /// Error (kConfig): there is none; it says why not and what to do. The same where commands could
  /// write to one of `settings.own`, be it there or not.
  static Result<Sandbox> open(const SandboxSettings& settings, const std::string& tree,
                              const std::map<std::string, std::string>& environment,
                              const SandboxSupport& support);

  SandboxLevel level() const { return level_; }
  /// One line: "namespaces, Landlock 7, seccomp; no network".
  std::string description() const;
  /// What is not held back, though it should be: sentences. Empty at the best level.
  const std::vector<std::string>& gaps() const { return gaps_; }
  /// The folder in which the commands' HOME and TMPDIR lie.
  const std::string& scratch() const { return scratch_.path(); }

 private:
  friend class SandboxRunner;

  Sandbox(SandboxSettings settings, std::string tree, ScratchFolder scratch)
      : settings_(std::move(settings)),
        tree_(std::move(tree)),
        scratch_(std::move(scratch)),
        note_(settings_.notes),
        nested_(tree_) {}

  // In the scratch folder. Commands see the first two, and cannot take these away.
  std::string home() const { return join_path(scratch_.path(), "home"); }
  std::string temporary() const { return join_path(scratch_.path(), "tmp"); }
  std::string root() const { return join_path(scratch_.path(), "root"); }

  Status check_own() const;
  void make_view(const std::map<std::string, std::string>& environment);
  /// To be called before each command: what is guarded may have come or gone since the last one.
  void look_at_guarded();
  void add_other_work_trees(std::vector<std::string>& paths) const;
  void make_mounts();
  void make_home(const std::string& users_home);
  std::string try_namespaces(const SandboxSupport& support);
  std::string try_landlock(const SandboxSupport& support);
  std::string try_bubblewrap(const SandboxSupport& support);
  void note_gaps();

  bool has_net(const Command& command) const { return settings_.allow_net || command.net; }
  bool some_have_net() const { return settings_.allow_net || !settings_.net_commands.empty(); }
  /// `confinement_`, for a command that has a network where others have none.
  Confinement with_net() const;

  /// The command as it is run: in the work tree, and by bwrap where that confines.
  Command inside(const Command& command, const ResourceLimits& limits) const;
  std::map<std::string, std::string> environment_of(const Command& command,
                                                    const std::string& marker) const;

  SandboxSettings settings_;
  std::string tree_;
  ScratchFolder scratch_;
  GuardedPaths guarded_;
  std::vector<std::string> programs_;  ///< folders of PATH in what commands may write to
  std::set<std::string> held_;         ///< of what is guarded, what the level holds
  GuardNote note_;
  NestedRepositories nested_;
  GitLinks git_links_{{}};
  std::vector<std::string> left_levels_;  ///< why each stronger level was not taken
  SandboxView view_;
  SandboxLevel level_ = SandboxLevel::kOff;
  Confinement confinement_;
  SyscallFilter net_filter_;  ///< of commands that have a network where others have none
  ResourceLimits limits_;
  std::string bubblewrap_;
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
