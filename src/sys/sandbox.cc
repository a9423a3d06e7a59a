#include "sys/sandbox.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>

#include "base/text.h"
#include "sys/bubblewrap.h"
#include "sys/file_system.h"
#include "sys/sandbox_environment.h"
#include "sys/start_process.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMegabyte = 1u << 20;

std::string expanded(const std::string& path, const std::string& home) {
  if (!path.starts_with("~/")) return path;
  return home.empty() ? "" : join_path(home, path.substr(2));
}

/// Canonical; nothing where it is not there, or is no place to open up.
void add_existing(const std::string& path, std::vector<std::string>& paths) {
  const Result<std::string> real = RealFileSystem().canonical(path);
  if (real && *real != "/") paths.push_back(*real);
}

bool is_written(const SandboxView& view, const std::string& path) {
  return std::any_of(view.write.begin(), view.write.end(),
                     [&path](const std::string& folder) { return is_below(path, folder); });
}

bool is_shown(const SandboxView& view, const std::string& path) {
  return is_written(view, path) ||
         std::any_of(view.read.begin(), view.read.end(),
                     [&path](const std::string& folder) { return is_below(path, folder); });
}

std::string value_of(const std::map<std::string, std::string>& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

/// Of PATH, canonical: the user's programs too, such as ~/.local/bin; never their whole home.
std::vector<std::string> program_folders(const std::string& path, const std::string& home) {
  const RealFileSystem files;
  std::vector<std::string> folders;
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.starts_with('/')) continue;
    const Result<std::string> real = files.canonical(std::string(folder));
    const bool too_much = !real || *real == "/" || (!home.empty() && is_below(home, *real));
    if (!too_much) folders.push_back(*real);
  }
  return folders;
}

/// Where a path leads, of which the last parts may be missing.
std::string real_place(const std::string& path) {
  const RealFileSystem files;
  std::string missing;
  for (std::string above = path; above.size() > 1; above = folder_name(above)) {
    if (const auto real = files.canonical(above)) return *real + missing;
    missing = "/" + std::string(base_name(above)) + missing;
  }
  return path;
}

std::string network_text(const SandboxSettings& settings) {
  if (settings.allow_net) return "network allowed";
  const std::vector<std::string>& named = settings.net_commands;
  return named.empty() ? "no network" : "no network but for " + join(named, ", ");
}

std::string limits_text(const SandboxSettings& settings) {
  return fmt::format(
      "at most {} processes, files of {} MB{}", settings.max_processes, settings.max_file_mb,
      settings.max_memory_mb > 0 ? fmt::format(", {} MB of data each", settings.max_memory_mb)
                                 : "");
}

}  // namespace

std::string_view to_string(SandboxLevel level) {
  switch (level) {
    case SandboxLevel::kNamespaces:
      return "namespaces";
    case SandboxLevel::kLandlock:
      return "landlock";
    case SandboxLevel::kBubblewrap:
      return "bubblewrap";
    case SandboxLevel::kOff:
      return "off";
  }
  return "";
}

SandboxSupport sandbox_support() {
  return {.namespaces = true,
          .landlock_abi = landlock_abi(),
          .bubblewrap = RealProcessRunner().find("bwrap")};
}

Result<Sandbox> Sandbox::open(const SandboxSettings& settings, const std::string& tree,
                              const std::map<std::string, std::string>& environment,
                              const SandboxSupport& support) {
  Result<ScratchFolder> scratch = ScratchFolder::make(value_of(environment, "TMPDIR"));
  if (!scratch) return scratch.error();
  Sandbox sandbox(settings, tree, *std::move(scratch));
  if (settings.off) return sandbox;
  sandbox.make_view(environment);
  if (Status apart = sandbox.check_own(); !apart) return apart.error();
  sandbox.make_home(value_of(environment, "HOME"));
  Confinement& confinement = sandbox.confinement_;
  confinement.net = settings.allow_net;
  sandbox.limits_ = {.processes = static_cast<std::uint64_t>(settings.max_processes),
                     .memory_bytes = static_cast<std::uint64_t>(settings.max_memory_mb) * kMegabyte,
                     .file_bytes = static_cast<std::uint64_t>(settings.max_file_mb) * kMegabyte};
  sandbox.look_at_guarded();
  const std::string namespaces = sandbox.try_namespaces(support);
  if (namespaces.empty()) return sandbox;
  if (support.namespaces) sandbox.left_levels_.push_back("namespaces do not work: " + namespaces);
  const std::string landlock = sandbox.try_landlock(support);
  if (landlock.empty()) return sandbox;
  const std::string bubblewrap = sandbox.try_bubblewrap(support);
  if (bubblewrap.empty()) return sandbox;
  return Error{ErrorKind::kConfig,
               fmt::format("commands cannot be confined here (namespaces: {}; Landlock: {}; bwrap: "
                           "{}); install bubblewrap, or write \"sandbox\": {{\"mode\": \"off\"}} "
                           "into ~/.pedrocli.json to run them with all your rights",
                           namespaces, landlock, bubblewrap)};
}

Status Sandbox::check_own() const {
  for (const std::string& path : settings_.own) {
    const std::string place = real_place(path);
    if (!is_written(view_, place)) continue;
    const auto holds = [&place](const std::string& folder) { return is_below(place, folder); };
    const auto folder = std::find_if(view_.write.begin(), view_.write.end(), holds);
    return Error{ErrorKind::kConfig,
                 fmt::format("commands could write to all of {}, and so to {}, which is pedrocli's "
                             "own{}; work in another folder, or write \"sandbox\": {{\"mode\": "
                             "\"off\"}} into ~/.pedrocli.json to run them with all your rights",
                             *folder, path, *folder == tree_ ? "" : " (sandbox.write)")};
  }
  return {};
}

void Sandbox::make_view(const std::map<std::string, std::string>& environment) {
  const std::string users_home = value_of(environment, "HOME");
  view_ = system_view();
  for (const std::string& path : settings_.read)
    add_existing(expanded(path, users_home), view_.read);
  view_.write = {tree_, home(), temporary()};
  for (const std::string& path : settings_.write)
    add_existing(expanded(path, users_home), view_.write);
  const GitFolders outside = git_folders_outside(tree_);
  view_.read.insert(view_.read.end(), outside.read.begin(), outside.read.end());
  view_.write.insert(view_.write.end(), outside.write.begin(), outside.write.end());
  std::vector<std::string> written = outside.write;
  written.push_back(join_path(tree_, ".git"));
  git_links_ = GitLinks(std::move(written));
  for (const std::string& folder : program_folders(value_of(environment, "PATH"), users_home)) {
    // In the tree they are its own, and no place for programs of ours.
    if (!is_shown(view_, folder)) view_.read.push_back(folder);
    if (is_written(view_, folder) && !is_below(folder, tree_)) programs_.push_back(folder);
  }
  if (some_have_net()) add_existing("/etc/resolv.conf", view_.read);
}

// A path is held by a mount; over a link none can be made, and over nothing neither. So these are
// watched, and noted for the case that this process dies.
void Sandbox::look_at_guarded() {
  const RealFileSystem files;
  const bool mounts = level_ == SandboxLevel::kNamespaces || level_ == SandboxLevel::kBubblewrap;
  std::vector<std::string> watched;
  std::vector<std::string> mounted;
  held_.clear();
  for (std::string& path : guarded_paths_of(tree_)) {
    if (!is_written(view_, path)) continue;  // its owner's to change
    if (is_below(tree_, path)) continue;     // a link to all of it
    const FileKind kind = files.link_info(path).kind;
    if (kind != FileKind::kMissing && kind != FileKind::kSymlink) {
      mounted.push_back(path);
      if (mounts) held_.insert(path);
    }
    watched.push_back(std::move(path));
  }
  add_other_work_trees(mounted);
  mounted.insert(mounted.end(), programs_.begin(), programs_.end());
  std::vector<std::string> leading = watched;
  leading.insert(leading.end(), programs_.begin(), programs_.end());
  std::vector<std::string> pinned = folders_between(view_.write, leading);
  std::erase_if(pinned, [&mounted](const std::string& path) {  // what is read only cannot be moved
    return std::any_of(mounted.begin(), mounted.end(),
                       [&path](const std::string& guarded) { return is_below(path, guarded); });
  });
  guarded_.watch(std::move(watched));
  if (mounted == view_.guarded && pinned == view_.pinned) return;
  view_.guarded = std::move(mounted);
  view_.pinned = std::move(pinned);
  if (confinement_.mounts) make_mounts();
}

// Their indexes, HEADs and settings. They change, so they are not watched; what is ours lies below,
// and is mounted over it.
void Sandbox::add_other_work_trees(std::vector<std::string>& paths) const {
  const std::string others = join_path(join_path(tree_, ".git"), "worktrees");
  if (RealFileSystem().link_info(others).kind == FileKind::kFolder) paths.push_back(others);
}

void Sandbox::make_home(const std::string& users_home) {
  RealFileSystem files;
  for (const std::string& folder : {home(), temporary(), root()}) {
    (void)files.make_folders(folder, 0700);
  }
  for (const auto& [name, bytes] : settings_.home_files) {
    (void)files.write_atomic(join_path(home(), name), bytes, 0600);
  }
  view_.shown_as = {{temporary(), "/tmp"}, {temporary(), "/var/tmp"}};
  // What is shown of the real home is found at its place in this one.
  for (const std::vector<std::string>* paths : {&settings_.read, &settings_.write}) {
    for (const std::string& path : *paths) {
      if (!path.starts_with("~/") || users_home.empty()) continue;
      const std::string at = join_path(home(), normal_path(path.substr(2)));
      (void)files.make_folders(std::string(folder_name(at)), 0700);
      (void)::symlink(expanded(path, users_home).c_str(), at.c_str());
    }
  }
}

void Sandbox::make_mounts() {
  confinement_.mounts.emplace(view_, root(), ::geteuid() != 0);
}

std::string Sandbox::try_namespaces(const SandboxSupport& support) {
  if (!support.namespaces) return "not tried";
  const bool root = ::geteuid() == 0;
  Result<SyscallFilter> filter = make_syscall_filter(SocketRule::kAny);
  if (!filter) return filter.error().message;
  confinement_.filter = *std::move(filter);
  net_filter_ = confinement_.filter;
  confinement_.user_namespace = !root;
  confinement_.own_process_limit = root && has_own_process_limit();
  make_mounts();
  confinement_.landlock_abi = support.landlock_abi;
  confinement_.rules = {{"/", PathAccess::kRead}, {"/dev", PathAccess::kWrite}};
  for (const char* folder : {"/tmp", "/var/tmp"}) {
    confinement_.rules.push_back({folder, PathAccess::kWrite});
  }
  if (!root) confinement_.rules.push_back({"/proc", PathAccess::kWrite});
  for (const std::string& path : view_.write) {
    confinement_.rules.push_back({path, PathAccess::kWrite});
  }
  std::string why = try_confinement(confinement_, limits_);
  if (!why.empty()) {
    confinement_.mounts.reset();
    return why;
  }
  level_ = SandboxLevel::kNamespaces;
  note_gaps();
  return "";
}

std::string Sandbox::try_landlock(const SandboxSupport& support) {
  if (support.landlock_abi == 0) return "not in this kernel";
  Result<SyscallFilter> filter =
      make_syscall_filter(settings_.allow_net ? SocketRule::kAny : SocketRule::kNetlink);
  if (!filter) return filter.error().message;
  confinement_.filter = *std::move(filter);
  if (Result<SyscallFilter> any = make_syscall_filter(SocketRule::kAny))
    net_filter_ = *std::move(any);
  confinement_.user_namespace = false;
  confinement_.own_process_limit = false;
  confinement_.landlock_abi = support.landlock_abi;
  confinement_.rules = landlock_rules(view_);
  std::string why = try_confinement(confinement_, limits_);
  if (!why.empty()) return why;
  level_ = SandboxLevel::kLandlock;
  note_gaps();
  return "";
}

std::string Sandbox::try_bubblewrap(const SandboxSupport& support) {
  if (support.bubblewrap.empty()) return "not installed";
  bubblewrap_ = support.bubblewrap;
  Command command;
  command.argv = bubblewrap_command(bubblewrap_, view_, limits_, settings_.allow_net, tree_);
  command.argv.insert(command.argv.end(), {"sh", "-c", "exit 0"});
  command.timeout_s = 10;
  const CancelToken cancel;
  const Result<ProcessResult> result = RealProcessRunner().run(command, cancel);
  if (!result) return result.error().message;
  if (!result->ok()) return std::string(trim(result->err));
  level_ = SandboxLevel::kBubblewrap;
  note_gaps();
  return "";
}

void Sandbox::note_gaps() {
  const bool root = ::geteuid() == 0;
  gaps_ = left_levels_;
  if (level_ == SandboxLevel::kNamespaces) {
    if (confinement_.landlock_abi == 0) {
      gaps_.emplace_back("the kernel has no Landlock: a second wall is missing");
    }
  }
  if (level_ == SandboxLevel::kLandlock) {
    gaps_.emplace_back(
        "git's configuration and hooks and pedrocli's settings can be changed while a command "
        "runs; "
        "they are put back after it");
    gaps_.emplace_back("other processes and their command lines are visible");
    for (const std::string& folder : programs_) {
      gaps_.push_back(folder + " is in your PATH, and commands can write there: sandbox.write");
    }
    if (confinement_.landlock_abi < 3) gaps_.emplace_back("files outside can be cut to nothing");
    if (confinement_.landlock_abi < 6) gaps_.emplace_back("signals reach processes outside");
    if (some_have_net()) {
      gaps_.emplace_back("with a network sockets of other programs can be reached");
    }
  }
  if (level_ == SandboxLevel::kBubblewrap) {
    gaps_.emplace_back("system calls are not filtered");
    gaps_.emplace_back("the number of processes is not limited");
  } else if (root && !confinement_.own_process_limit) {
    gaps_.emplace_back("the number of processes is not limited, because root's is not");
  }
}

std::string Sandbox::description() const {
  if (level_ == SandboxLevel::kOff) return "off: commands run with all your rights";
  std::string text(to_string(level_));
  if (level_ != SandboxLevel::kBubblewrap) {
    if (level_ == SandboxLevel::kLandlock) text = "";
    if (confinement_.landlock_abi > 0) {
      text += fmt::format("{}Landlock {}", text.empty() ? "" : ", ", confinement_.landlock_abi);
    }
    text += ", seccomp";
  }
  return fmt::format("{}; {}; {}", text, network_text(settings_), limits_text(settings_));
}

Confinement Sandbox::with_net() const {
  Confinement open = confinement_;
  open.net = true;
  open.filter = net_filter_;
  return open;
}

Command Sandbox::inside(const Command& command, const ResourceLimits& limits) const {
  Command inner = command;
  if (inner.folder.empty()) inner.folder = tree_;
  if (level_ == SandboxLevel::kBubblewrap) {
    inner.argv = bubblewrap_command(bubblewrap_, view_, limits, has_net(command), inner.folder);
    inner.argv.insert(inner.argv.end(), command.argv.begin(), command.argv.end());
  }
  return inner;
}

std::map<std::string, std::string> Sandbox::environment_of(const Command& command,
                                                           const std::string& marker) const {
  Command plain = command;
  plain.environment = {};
  auto variables = reduced_environment(environment_for(plain, marker), settings_.environment);
  variables["HOME"] = home();
  variables["TMPDIR"] = temporary();
  for (const auto& [name, value] : command.environment) variables[name] = value;
  return variables;
}

}  // namespace pedro
