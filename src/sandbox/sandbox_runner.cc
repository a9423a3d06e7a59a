#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandbox/protected_paths.h"
#include "sandbox/resource_limits.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_view.h"
#include "sys/file_system.h"
#include "sys/run_process.h"

namespace pedro {
namespace {

// bubblewrap_command() expects the seccomp filter as bytes on this descriptor. On descriptor 4, it
// expects a pipe for the lines "started" and kLeftReport.
constexpr int kFilterDescriptor = 3;
// A line on that pipe: the command left processes behind.
constexpr std::string_view kLeftReport = "left";

// Options of one command.
struct BubblewrapOptions {
  ResourceLimits limits;
  bool net = false;
  std::string folder;  // working folder
};

constexpr const char* kSharedMemoryBytes = "536870912";

// Runs the command and cleans up after it. bwrap is process 1 and reaps orphans. The first write
// fails, and ends the script, if pedrocli died before bwrap could notice.
constexpr std::string_view kKeep = R"sh(
echo started >&4 || exit 127
{ echo 800 >/proc/self/oom_score_adj; } 2>/dev/null
"$@" 3>&- 4>&-
code=$?
others() {
  for process in /proc/[0-9]*; do
    case $process in /proc/1 | /proc/$$) ;; *) return 0 ;; esac
  done
  return 1
}
if others && sleep 0.1 && others; then
  echo left >&4
  kill -TERM -1
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    others || break
    sleep 0.1
  done
fi
exit $code
)sh";

std::string script(const ResourceLimits& limits) {
  std::string text = "ulimit -c 0\n";
  const auto add = [&text](char option, std::uint64_t value, std::uint64_t unit) {
    if (value > 0) text += fmt::format("ulimit -{} {} 2>/dev/null\n", option, value / unit);
  };
  add('f', limits.file_bytes, 512);
  add('d', limits.memory_bytes, 1024);
  add('t', limits.cpu_s, 1);
  if (::geteuid() != 0 && limits.processes > 0) {  // dash calls the option -p
    text += fmt::format("{{ ulimit -u {0} || ulimit -p {0}; }} 2>/dev/null\n", limits.processes);
  }
  return text.append(kKeep);
}

class Arguments {
 public:
  explicit Arguments(const std::string& program) : words_{program} {}
  void add(std::initializer_list<std::string> words) { words_.insert(words_.end(), words); }
  std::vector<std::string> take() { return std::move(words_); }

 private:
  std::vector<std::string> words_;
};

// Root stays outside a user namespace: inside one, it could not access files of other users.
void add_namespaces(Arguments& line, bool net) {
  line.add({"--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try",
            "--die-with-parent", "--cap-drop", "ALL"});
  if (!net) line.add({"--unshare-net"});
  if (::geteuid() != 0) {
    line.add({"--unshare-user"});
    return;
  }
  for (const char* right : {"CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID"}) {
    line.add({"--cap-add", right});
  }
}

void add_view(Arguments& line, const SandboxView& view) {
  const RealFileSystem files;
  for (const auto& [path, target] : view.links) line.add({"--symlink", target, path});
  line.add({"--dev", "/dev", "--size", kSharedMemoryBytes, "--tmpfs", "/dev/shm"});
  for (const auto& [from, shown] : view.shown_as) line.add({"--bind", from, shown});
  std::map<std::string, bool> writable;
  for (const std::string& path : view.read) writable.emplace(path, false);
  for (const std::string& path : view.write) writable[path] = true;
  // A mount point cannot be renamed.
  for (const std::string& path : view.pinned) writable.emplace(path, true);
  for (const std::string& path : view.guarded) writable[path] = false;
  for (const auto& [path, can_write] : writable) {
    line.add({can_write ? "--bind-try" : "--ro-bind-try", path, path});
  }
  for (const std::string& path : view.hidden) {
    if (files.info(path).kind == FileKind::kFolder) {
      line.add({"--tmpfs", path});
    } else {
      line.add({"--ro-bind", "/dev/null", path});
    }
  }
  for (const std::string& path : view.sockets) line.add({"--ro-bind", "/dev/null", path});
  line.add({"--proc", "/proc"});
  // Without a user namespace, root could change the settings of the machine.
  if (::geteuid() == 0) line.add({"--ro-bind", "/proc/sys", "/proc/sys"});
}

// Returns a command line that runs the command appended to it in new namespaces. `program` is the
// path of bwrap, `view` the file system. Processes that outlive the command get SIGTERM after 100
// ms, and SIGKILL two seconds later. As root, the process limit has no effect.
std::vector<std::string> bubblewrap_command(const std::string& program, const SandboxView& view,
                                            const BubblewrapOptions& options) {
  Arguments line(program);
  add_namespaces(line, options.net);
  add_view(line, view);
  line.add({"--seccomp", std::to_string(kFilterDescriptor)});
  if (!options.folder.empty()) line.add({"--chdir", options.folder});
  line.add({"--", "/bin/sh", "-c", script(options.limits), "sh"});
  return line.take();
}

/// Messages of programs when the system refuses an operation.
constexpr std::array<std::string_view, 11> kRefusals = {"Permission denied",
                                                        "Operation not permitted",
                                                        "Read-only file system",
                                                        "Device or resource busy",
                                                        "Network is unreachable",
                                                        "Temporary failure in name resolution",
                                                        "Could not resolve host",
                                                        "Address family not supported",
                                                        "Name or service not known",
                                                        "Resource temporarily unavailable",
                                                        "File too large"};

bool mentions_refusal(const std::string& text) {
  return std::any_of(kRefusals.begin(), kRefusals.end(), [&text](std::string_view refusal) {
    return text.find(refusal) != std::string::npos;
  });
}

std::string what_is_allowed(bool net) {
  return fmt::format("commands run in a sandbox: they may change the project and $TMPDIR only{}",
                     net ? "" : ", and have no network");
}

Error internal_error(std::string_view what) {
  return Error{ErrorKind::kInternal, fmt::format("{}: {}", what, errno_text(errno))};
}

bool reports_left_processes(const Descriptor& report) {
  std::array<char, 64> bytes{};
  if (!report.open()) return false;
  const long count = read_some(report.get(), bytes.data(), bytes.size());
  const std::string_view said(bytes.data(), static_cast<std::size_t>(std::max(count, 0L)));
  return said.find(kLeftReport) != said.npos;
}

// Duplicates a descriptor above the numbers that a child uses.
Descriptor raised(const Descriptor& descriptor) {
  return Descriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 10));
}

}  // namespace

Result<ProcessResult> SandboxRunner::run(const Command& given, const CancelToken& cancel) {
  Command command = given;
  if (command.idle_timeout_s == 0) command.idle_timeout_s = sandbox_.settings_.idle_seconds;
  if (sandbox_.level() == SandboxLevel::kOff) {
    if (const char* path = ::getenv("PATH")) command.environment.try_emplace("PATH", path);
    return processes_.run(command, cancel);
  }
  if (command.folder.empty()) command.folder = sandbox_.tree_;
  sandbox_.look_at_protected();
  PEDRO_RETURN_IF_ERROR(sandbox_.keep());
  Result<ProcessResult> result = sandbox_.level() == SandboxLevel::kBubblewrap
                                     ? sandbox_.run_in_bubblewrap(command, cancel)
                                     : sandbox_.run_landlocked(command, cancel);
  sandbox_.put_back();
  if (!result) return result;
  for (std::string& note : std::exchange(sandbox_.undone_, {})) {
    result->notes.push_back(std::move(note));
  }
  if (mentions_refusal(result->out) || mentions_refusal(result->err)) {
    result->notes.push_back(what_is_allowed(sandbox_.has_net(command)));
  }
  return result;
}

// Resource limits bind other users, but not root.
std::size_t Sandbox::max_threads() const {
  return ::geteuid() == 0 ? static_cast<std::size_t>(settings_.max_processes) : 0;
}

Status Sandbox::keep() {
  if (kept_.empty() && !copy_) return {};
  if (!copy_) copy_.emplace(settings_.copies.empty() ? scratch_.path() : settings_.copies);
  return copy_->remember(kept_);
}

void Sandbox::put_back() {
  if (!copy_) return;
  for (std::string& sentence : copy_->put_back()) undone_.push_back(std::move(sentence));
}

Status Sandbox::check_visible(const ProgramStart& program) const {
  if (!program.program().starts_with('/')) return {};
  const Result<std::string> real = RealFileSystem().canonical(program.program());
  if (!real || is_shown(view_, *real)) return {};
  return usage_error(fmt::format(
      "{}: is not visible inside the sandbox; name its folder in sandbox.read", program.program()));
}

Result<ProcessResult> Sandbox::run_in_bubblewrap(const Command& command,
                                                 const CancelToken& cancel) {
  const Placeholders placeholders(missing_);
  SandboxView view = view_;
  const std::vector<std::string>& files = placeholders.files();
  view.guarded.insert(view.guarded.end(), files.begin(), files.end());
  const std::vector<std::string>& folders = placeholders.folders();
  view.pinned.insert(view.pinned.end(), folders.begin(), folders.end());
  Command outer = command;
  outer.argv = bubblewrap_command(
      bubblewrap_, view,
      {.limits = limits_of(command), .net = has_net(command), .folder = command.folder});
  outer.argv.insert(outer.argv.end(), command.argv.begin(), command.argv.end());
  Descriptor report;
  const auto start = [&](const std::string& marker, const ChildStreams& streams) -> Result<int> {
    const auto environment = environment_of(command, marker);
    PEDRO_TRY(const ProgramStart program, ProgramStart::prepare(command, environment));
    PEDRO_RETURN_IF_ERROR(check_visible(program));
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return internal_error("pipe");
    report.reset(ends[0]);
    const Descriptor theirs(ends[1]);
    const Descriptor filter = raised(filter_file_);
    const Descriptor report_end = raised(theirs);
    if (::lseek(filter.get(), 0, SEEK_SET) != 0) return internal_error("seccomp filter");
    ChildStreams all = streams;
    all.more = {filter.get(), report_end.get()};
    return start_process(outer, environment, all);
  };
  Result<ProcessResult> result = run_process(outer, cancel, start, max_threads());
  if (result) result->left_children = reports_left_processes(report);
  return result;
}

Result<ProcessResult> Sandbox::run_landlocked(const Command& command, const CancelToken& cancel) {
  const auto start = [&](const std::string& marker, const ChildStreams& streams) -> Result<int> {
    PEDRO_TRY(const ProgramStart program,
              ProgramStart::prepare(command, environment_of(command, marker)));
    PEDRO_RETURN_IF_ERROR(check_visible(program));
    if (!has_net(command) || settings_.allow_net) {
      return start_landlocked(confinement_, limits_of(command), program, streams);
    }
    Confinement with_net = confinement_;
    with_net.net = true;
    with_net.filter = net_filter_;
    return start_landlocked(with_net, limits_of(command), program, streams);
  };
  return run_process(command, cancel, start, max_threads());
}

}  // namespace pedro
