#include "sys/start_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <vector>

#include "base/text.h"
#include "sys/descriptor.h"
#include "sys/environment.h"
#include "sys/file_system.h"
#include "sys/repositories.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

Error not_started(std::string_view name, std::string_view why) {
  return Error{ErrorKind::kUsage, fmt::format("{}: {}", name, why)};
}

bool is_regular(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// Returns the outermost folder with a ".git" that contains `folder`: a submodule belongs to the
// repository around it. "" if there is none.
fs::path repository_around(const std::string& folder) {
  std::error_code error;
  fs::path here = fs::canonical(folder.empty() ? fs::path(".") : fs::path(folder), error);
  fs::path root;
  while (!error) {
    struct stat status {};
    if (::lstat((here / ".git").c_str(), &status) == 0) root = here;
    if (here == here.parent_path()) break;
    here = here.parent_path();
  }
  return root;
}

// Returns the repository around `folder`, and those whose settings or objects it shares. These are
// the main work tree of a linked one, or the source of a clean clone.
std::vector<std::string> repositories_of(const std::string& folder) {
  const fs::path root = repository_around(folder);
  if (root.empty()) return {};
  std::vector<std::string> found = {root.native()};
  for (const std::string& git : git_folders(root / ".git")) {
    found.push_back(git.substr(0, (git + "/").find("/.git/")));
  }
  return found;
}

// Returns the descriptors above `last` that are open now, empty without /proc. Not every C library
// has posix_spawn_file_actions_addclosefrom_np().
std::vector<int> open_above(int last) {
  std::vector<int> open;
  std::error_code error;
  for (fs::directory_iterator entry("/proc/self/fd", error), end; !error && entry != end;
       entry.increment(error)) {
    const int fd = std::stoi(entry->path().filename().native());
    if (fd > last) open.push_back(fd);
  }
  return open;
}

/// Owns the arguments of posix_spawn().
class SpawnPlan {
 public:
  SpawnPlan(const std::string& folder, const ChildStreams& streams) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, streams.in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, streams.out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, streams.err, STDERR_FILENO);
    int last = STDERR_FILENO;
    for (const int fd : streams.more) posix_spawn_file_actions_adddup2(&actions_, fd, ++last);
    // Closes descriptors inherited from the parent; all others are close-on-exec.
    for (const int fd : open_above(last)) posix_spawn_file_actions_addclose(&actions_, fd);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());

    sigset_t signals;
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

Status check_command(const Command& command) {
  if (command.argv.empty() || command.argv[0].empty()) {
    return Error{ErrorKind::kUsage, "the command is empty"};
  }
  for (const std::string& argument : command.argv) {
    if (argument.find('\0') != std::string::npos) {
      return not_started(command.argv[0], "an argument contains a NUL byte");
    }
  }
  if (command.folder.empty()) return {};
  struct stat status {};
  if (::stat(command.folder.c_str(), &status) != 0) {
    return not_started(command.folder, errno_text(errno));
  }
  if (!S_ISDIR(status.st_mode)) return not_started(command.folder, errno_text(ENOTDIR));
  if (::access(command.folder.c_str(), X_OK) != 0) {
    return not_started(command.folder, errno_text(errno));
  }
  return {};
}

}  // namespace

Result<std::string> find_program(const std::string& name, const std::string& path) {
  const std::string_view folders = path.empty() ? kDefaultPath : std::string_view(path);
  bool forbidden = false;
  for (const std::string_view folder : split(folders, ':')) {
    if (!folder.starts_with('/')) continue;
    std::string candidate = join_path(folder, name);
    if (!is_regular(candidate)) continue;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    forbidden = true;
  }
  return not_started(name, forbidden ? "permission denied" : "not found in PATH");
}

std::string path_outside_repository(const std::string& path, const std::string& folder) {
  const std::vector<std::string> repositories = repositories_of(folder);
  std::string outside;
  for (const std::string_view entry : split(path, ':')) {
    std::error_code missing;
    const fs::path real = fs::canonical(fs::path(entry), missing);
    if (!entry.starts_with('/') || missing) continue;
    const bool is_inside =
        std::any_of(repositories.begin(), repositories.end(),
                    [&real](const std::string& root) { return is_below(real.native(), root); });
    if (is_inside) continue;
    (outside += outside.empty() ? "" : ":") += entry;
  }
  return outside;
}

std::map<std::string, std::string> environment_for(const Command& command,
                                                   const std::string& marker) {
  std::map<std::string, std::string> result = real_environment().variables;
  result["PAGER"] = "cat";
  result["GIT_PAGER"] = "cat";
  result["GIT_TERMINAL_PROMPT"] = "0";
  result["CI"] = "1";
  result["TERM"] = "dumb";
  // Shells use PWD if it names the working folder, even through links.
  if (!command.folder.empty()) result["PWD"] = command.folder;
  for (const auto& [name, value] : command.environment) result[name] = value;
  // Appends to an inherited value: a pedrocli started by another one belongs to both runs.
  std::string& run = result["PEDROCLI_RUN"];
  run += (run.empty() ? "" : ":") + marker;
  return result;
}

Result<ProgramStart> ProgramStart::prepare(const Command& command,
                                           const std::map<std::string, std::string>& environment) {
  PEDRO_RETURN_IF_ERROR(check_command(command));
  ProgramStart start;
  start.program_ = command.argv[0];
  if (start.program_.find('/') == std::string::npos) {
    const auto path = environment.find("PATH");
    PEDRO_TRY(std::string found,
              find_program(start.program_, path == environment.end() ? "" : path->second));
    start.program_ = std::move(found);
  }
  start.folder_ = command.folder;
  start.arguments_ = command.argv;
  start.variables_.reserve(environment.size());
  for (const auto& [name, value] : environment) {
    start.variables_.push_back(name);
    start.variables_.back().append("=").append(value);
  }
  return start;
}

// Casts away const: exec does not modify its arguments.
std::vector<char*> ProgramStart::pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Error ProgramStart::failure(int error) const {
  const std::string& name = arguments_[0];
  const bool there =
      is_regular(program_.starts_with('/') ? program_ : join_path(folder_, program_));
  switch (error) {
    case ENOENT:
      return not_started(name, there ? "its interpreter (#! line) does not exist" : "no such file");
    case EACCES:
      return not_started(name, "permission denied");
    case ENOEXEC:
      return not_started(name, "neither a program nor a script with a #! line");
    case EAGAIN:
    case ENOMEM:
      return Error{ErrorKind::kInternal, fmt::format("{}: {}", name, errno_text(error))};
    default:
      return not_started(name, errno_text(error));
  }
}

Result<int> start_process(const Command& command,
                          const std::map<std::string, std::string>& environment,
                          const ChildStreams& streams) {
  PEDRO_TRY(const ProgramStart start, ProgramStart::prepare(command, environment));
  const SpawnPlan plan(start.folder(), streams);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, start.program().c_str(), plan.actions(), plan.attributes(),
                                  start.arguments().data(), start.variables().data());
  if (error != 0) return start.failure(error);
  return pid;
}

}  // namespace pedro
