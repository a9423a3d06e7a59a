#include "sandbox/sandbox.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/text.h"
#include "sandbox/protected_paths.h"
#include "sandbox/sandbox_environment.h"
#include "sys/file_system.h"
#include "sys/process_table.h"
#include "sys/start_process.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMegabyte = 1u << 20;
constexpr double kTrial_s = 10;

std::string expanded(const std::string& path, const std::string& home) {
  if (!path.starts_with("~/")) return path;
  return home.empty() ? "" : join_path(home, path.substr(2));
}

/// Adds the canonical path, unless it is missing or "/".
void add_existing(const std::string& path, std::vector<std::string>& paths) {
  const Result<std::string> real = RealFileSystem().canonical(path);
  if (real && *real != "/") paths.push_back(*real);
}

std::string value_of(const std::map<std::string, std::string>& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

/// Returns the canonical folders of PATH, including ~/.local/bin but never the whole home, and the
/// Python virtual environments around them.
std::vector<std::string> program_folders(const std::string& path, const std::string& home) {
  const RealFileSystem files;
  std::vector<std::string> folders;
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.starts_with('/')) continue;
    const Result<std::string> real = files.canonical(std::string(folder));
    const bool too_much = !real || *real == "/" || (!home.empty() && is_below(home, *real));
    if (too_much) continue;
    folders.push_back(*real);
    // Python finds its packages through this file in the parent folder of its programs.
    const std::string environment(folder_name(*real));
    if (files.info(join_path(environment, "pyvenv.cfg")).kind == FileKind::kFile) {
      folders.push_back(environment);
    }
  }
  return folders;
}

/// Resolves the links of a path whose last components may be missing.
std::string real_place(const std::string& path) {
  const RealFileSystem files;
  std::string missing;
  for (std::string above = path; above.size() > 1; above = folder_name(above)) {
    if (const auto real = files.canonical(above)) return *real + missing;
    missing = "/" + std::string(base_name(above)) + missing;
  }
  return path;
}

// Returns the outermost missing folder of `path`, or `path`.
std::string first_missing(const std::string& path) {
  const RealFileSystem files;
  std::string first = path;
  for (std::string above(folder_name(path)); above.size() > 1; above = folder_name(above)) {
    if (files.link_info(above).kind != FileKind::kMissing) break;
    first = above;
  }
  return first;
}

Result<Descriptor> file_of(const SyscallFilter& filter) {
  Descriptor file(::memfd_create("seccomp", MFD_CLOEXEC));
  const std::string_view bytes(reinterpret_cast<const char*>(filter.steps.data()),
                               filter.steps.size() * sizeof filter.steps[0]);
  const int error = file.open() ? write_all(file.get(), bytes) : errno;
  if (error == 0) return file;
  return Error{ErrorKind::kInternal, fmt::format("seccomp filter: {}", errno_text(error))};
}

std::string network_text(const SandboxSettings& settings) {
  if (settings.allow_net) return "network allowed";
  const std::vector<std::string>& named = settings.net_commands;
  return named.empty() ? "no network" : "no network except " + join(named, ", ");
}

std::string limits_text(const SandboxSettings& settings) {
  return fmt::format(
      "at most {} processes, files of {} MB{}", settings.max_processes, settings.max_file_mb,
      settings.max_memory_mb > 0 ? fmt::format(", {} MB of data each", settings.max_memory_mb)
                                 : "");
}

}  // namespace

std::string_view to_string(SandboxLevel level) {
  constexpr std::string_view kNames[] = {"bubblewrap", "landlock", "off"};
  return kNames[static_cast<int>(level)];
}

SandboxSupport sandbox_support() {
  return {.bubblewrap = RealProcessRunner().find("bwrap"), .landlock_abi = landlock_abi()};
}

Result<Sandbox> Sandbox::open(const SandboxSettings& settings, const std::string& tree,
                              const std::map<std::string, std::string>& environment,
                              const SandboxSupport& support) {
  PEDRO_TRY(ScratchFolder scratch,
            ScratchFolder::make_outside(tree, value_of(environment, "TMPDIR")));
  Sandbox sandbox(settings, tree, std::move(scratch));
  if (settings.off) return sandbox;
  sandbox.make_view(environment);
  PEDRO_RETURN_IF_ERROR(sandbox.check_own());
  sandbox.make_home(value_of(environment, "HOME"));
  remove_left_placeholders(protected_paths(tree, settings.protect));
  const std::string bubblewrap = sandbox.try_bubblewrap(support);
  if (bubblewrap.empty()) return sandbox;
  sandbox.left_levels_.push_back("bubblewrap does not work: " + bubblewrap);
  const std::string landlock = sandbox.try_landlock(support);
  if (landlock.empty()) return sandbox;
  return Error{ErrorKind::kConfig,
               fmt::format("commands cannot be confined here (bwrap: {}; Landlock: {}); install "
                           "bubblewrap, or write \"sandbox\": {{\"mode\": \"off\"}} into "
                           "~/.pedrocli.json to run them with all your rights",
                           bubblewrap, landlock)};
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
  for (std::string& folder : git_folders(join_path(tree_, ".git"))) {
    if (!is_below(folder, tree_)) view_.read.push_back(std::move(folder));
  }
  for (const std::string& folder : program_folders(value_of(environment, "PATH"), users_home)) {
    // Folders inside the tree belong to the project and need no protection.
    if (!is_shown(view_, folder)) view_.read.push_back(folder);
    if (is_written(view_, folder) && !is_below(folder, tree_)) programs_.push_back(folder);
  }
  if (some_have_net()) add_existing("/etc/resolv.conf", view_.read);
}

// Only a mount protects a path, and a link cannot be a mount point.
void Sandbox::look_at_protected() {
  const RealFileSystem files;
  std::vector<std::string> all = protected_paths(tree_, settings_.protect);
  std::erase_if(all, [this](const std::string& path) {
    return !is_written(view_, path) || is_below(tree_, path);  // the user may change it
  });
  std::vector<std::string> guarded;
  missing_.clear();
  kept_.clear();
  for (const std::string& path : all) {
    const FileKind kind = files.link_info(path).kind;
    if (kind == FileKind::kMissing) missing_.push_back(path);
    if (kind == FileKind::kSymlink) kept_.push_back(path);
    if (kind != FileKind::kSymlink && level_ == SandboxLevel::kLandlock) {
      kept_.push_back(first_missing(path));
    }
    if (kind != FileKind::kMissing && kind != FileKind::kSymlink) guarded.push_back(path);
  }
  guarded.insert(guarded.end(), programs_.begin(), programs_.end());
  all.insert(all.end(), programs_.begin(), programs_.end());
  view_.pinned = folders_between(view_.write, all);
  std::erase_if(view_.pinned, [&guarded](const std::string& path) {  // read-only: cannot be moved
    return std::any_of(guarded.begin(), guarded.end(),
                       [&path](const std::string& held) { return is_below(path, held); });
  });
  view_.guarded = std::move(guarded);
  view_.sockets = sockets_.below(view_.write);
}

void Sandbox::make_home(const std::string& users_home) {
  RealFileSystem files;
  for (const std::string& folder : {home(), temporary()}) {
    (void)files.make_folders(folder, 0700);
  }
  for (const auto& [name, bytes] : settings_.home_files) {
    const std::string path = join_path(home(), name);
    (void)files.make_folders(std::string(folder_name(path)), 0700);
    (void)files.write_atomic(path, bytes, 0600);
  }
  // Keeps placeholders out of the user's git status.
  const std::string ignored = join_path(home(), ".config/git/ignore");
  (void)files.make_folders(std::string(folder_name(ignored)), 0700);
  (void)files.append(ignored, "/.pedro\n/.pedrocli.json\n/.mcp.json\n");
  view_.shown_as = {{temporary(), "/tmp"}, {temporary(), "/var/tmp"}};
  // Links the visible parts of the real home at the same places in this one.
  for (const std::vector<std::string>* paths : {&settings_.read, &settings_.write}) {
    for (const std::string& path : *paths) {
      if (!path.starts_with("~/") || users_home.empty()) continue;
      const std::string at = join_path(home(), normal_path(path.substr(2)));
      (void)files.make_folders(std::string(folder_name(at)), 0700);
      (void)::symlink(expanded(path, users_home).c_str(), at.c_str());
    }
  }
}

std::string Sandbox::try_bubblewrap(const SandboxSupport& support) {
  if (support.bubblewrap.empty()) return "not installed";
  const Result<SyscallFilter> filter = make_syscall_filter(SocketRule::kAny);
  if (!filter) return filter.error().message;
  Result<Descriptor> file = file_of(*filter);
  if (!file) return file.error().message;
  filter_file_ = *std::move(file);
  bubblewrap_ = support.bubblewrap;
  level_ = SandboxLevel::kBubblewrap;
  const CancelToken cancel;
  const Result<ProcessResult> result =
      run_in_bubblewrap({.argv = {"sh", "-c", "exit 0"}, .timeout_s = kTrial_s}, cancel);
  if (result && result->ok()) {
    note_gaps();
    return "";
  }
  level_ = SandboxLevel::kOff;
  return result ? std::string(trim(result->err)) : result.error().message;
}

std::string Sandbox::try_landlock(const SandboxSupport& support) {
  if (support.landlock_abi == 0) return "not supported by this kernel";
  Result<SyscallFilter> filter =
      make_syscall_filter(settings_.allow_net ? SocketRule::kAny : SocketRule::kNetlink);
  Result<SyscallFilter> any = make_syscall_filter(SocketRule::kAny);
  if (!filter || !any) return (filter ? any : filter).error().message;
  confinement_ = {.net = settings_.allow_net,
                  .landlock_abi = support.landlock_abi,
                  .rules = landlock_rules(view_),
                  .filter = *std::move(filter)};
  net_filter_ = *std::move(any);
  std::string why = try_confinement(confinement_, limits_of({}));
  if (!why.empty()) return why;
  level_ = SandboxLevel::kLandlock;
  note_gaps();
  return "";
}

void Sandbox::note_gaps() {
  gaps_ = left_levels_;
  if (::geteuid() == 0 && !offers_children()) {
    gaps_.emplace_back("the number of processes is not limited for root");
  }
  if (level_ != SandboxLevel::kLandlock) return;
  gaps_.emplace_back(
      "commands can change .git and pedrocli's settings while they run; the changes are undone "
      "afterwards");
  gaps_.emplace_back("other processes and their command lines are visible");
  for (const std::string& folder : programs_) {
    gaps_.push_back(folder + " is in your PATH, and commands can write there: sandbox.write");
  }
  if (confinement_.landlock_abi < 3) gaps_.emplace_back("files outside can be truncated");
  if (confinement_.landlock_abi < 6) gaps_.emplace_back("signals reach processes outside");
  if (some_have_net())
    gaps_.emplace_back("with network access, sockets of other programs can be reached");
}

std::string Sandbox::description() const {
  if (level_ == SandboxLevel::kOff) return "off: commands run with all your rights";
  const std::string level = level_ == SandboxLevel::kBubblewrap
                                ? std::string("bubblewrap")
                                : fmt::format("Landlock {}", confinement_.landlock_abi);
  return fmt::format("{}, seccomp; {}; {}", level, network_text(settings_), limits_text(settings_));
}

// The limit of CPU time: all processors busy until the timeout.
ResourceLimits Sandbox::limits_of(const Command& command) const {
  const auto longest_s = static_cast<std::uint64_t>(std::ceil(std::max(command.timeout_s, 1.0)));
  return {.processes = static_cast<std::uint64_t>(settings_.max_processes),
          .memory_bytes = static_cast<std::uint64_t>(settings_.max_memory_mb) * kMegabyte,
          .file_bytes = static_cast<std::uint64_t>(settings_.max_file_mb) * kMegabyte,
          .cpu_s = longest_s * std::max(1u, std::thread::hardware_concurrency()) + 10};
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
