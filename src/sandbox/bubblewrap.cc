#include "sandbox/bubblewrap.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>

#include "sys/file_system.h"

namespace pedro {
namespace {

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

}  // namespace

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

}  // namespace pedro
