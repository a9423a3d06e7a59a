#include "sys/bubblewrap.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>

#include "sys/file_system.h"

namespace pedro {
namespace {

/// A shell script that runs its arguments within limits.
std::string limited(const ResourceLimits& limits) {
  std::string script = "ulimit -c 0; ";
  if (limits.file_bytes > 0) script += fmt::format("ulimit -f {}; ", limits.file_bytes / 512);
  if (limits.memory_bytes > 0) script += fmt::format("ulimit -d {}; ", limits.memory_bytes / 1024);
  if (limits.cpu_s > 0) script += fmt::format("ulimit -t {}; ", limits.cpu_s);
  return script + "exec \"$@\"";
}

}  // namespace

std::vector<std::string> bubblewrap_command(const std::string& program, const SandboxView& view,
                                            const ResourceLimits& limits, bool net,
                                            const std::string& folder) {
  std::vector<std::string> line = {program,         "--unshare-all", "--die-with-parent",
                                   "--new-session", "--cap-drop",    "ALL"};
  const auto add = [&line](std::initializer_list<std::string> words) {
    line.insert(line.end(), words);
  };
  if (net) add({"--share-net"});
  for (const auto& [path, target] : view.links) add({"--symlink", target, path});
  add({"--dev", "/dev"});
  for (const auto& [from, shown] : view.shown_as) add({"--bind", from, shown});
  std::map<std::string, bool> writable;
  for (const std::string& path : view.read) writable.emplace(path, false);
  for (const std::string& path : view.write) writable[path] = true;
  // A mount of its own cannot be moved.
  for (const std::string& path : view.pinned) writable.emplace(path, true);
  for (const std::string& path : view.guarded) writable[path] = false;
  const RealFileSystem files;
  for (const auto& [path, can_write] : writable) {
    if (files.info(path).kind == FileKind::kMissing) continue;
    add({can_write ? "--bind" : "--ro-bind", path, path});
  }
  for (const std::string& path : view.hidden) {
    const bool is_folder = files.info(path).kind == FileKind::kFolder;
    if (is_folder) {
      add({"--tmpfs", path});
    } else {
      add({"--ro-bind", "/dev/null", path});
    }
  }
  add({"--proc", "/proc"});
  // Here root is the machine's root.
  if (::geteuid() == 0) add({"--ro-bind", "/proc/sys", "/proc/sys"});
  if (!folder.empty()) add({"--chdir", folder});
  add({"--", "/bin/sh", "-c", limited(limits), "sh"});
  return line;
}

}  // namespace pedro
