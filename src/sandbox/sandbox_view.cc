#include "sandbox/sandbox_view.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>

#include "base/text.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::array kSystemFolders = {"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                       "/libx32", "/etc", "/opt",  "/nix", "/gnu",   "/sys"};
constexpr std::array kSecrets = {
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow",   "/etc/gshadow-",    "/etc/ssl/private",
    "/etc/ssh",    "/etc/sudoers", "/etc/sudoers.d", "/etc/krb5.keytab", "/etc/wireguard"};
/// Devices that every program may write to, including terminals.
constexpr std::array kDevices = {"/dev/null",    "/dev/zero", "/dev/full", "/dev/random",
                                 "/dev/urandom", "/dev/tty",  "/dev/ptmx", "/dev/pts"};

constexpr std::uint64_t kMaxTableBytes = 64u << 20;
constexpr std::size_t kMaxEntries = 200'000;

void add_system_folder(const RealFileSystem& files, const std::string& folder, SandboxView& view) {
  const FileInfo info = files.link_info(folder);
  if (info.kind == FileKind::kFolder) view.read.push_back(folder);
  if (info.kind != FileKind::kSymlink) return;
  if (auto target = files.read_link(folder)) view.links.emplace_back(folder, *std::move(target));
}

/// Adds `path` if nothing below it is hidden, else each of its entries in the same way.
void add_reads(const RealFileSystem& files, const SandboxView& view, const std::string& path,
               std::vector<LandlockRule>& rules) {
  std::vector<std::string> left = {path};
  while (!left.empty()) {
    const std::string at = std::move(left.back());
    left.pop_back();
    const auto matters = [&](const std::string& hidden) { return is_below(hidden, at); };
    const auto is_hidden = [&](const std::string& hidden) { return is_below(at, hidden); };
    if (std::any_of(view.hidden.begin(), view.hidden.end(), is_hidden)) continue;
    if (std::none_of(view.hidden.begin(), view.hidden.end(), matters)) {
      rules.push_back({at, PathAccess::kRead});
      continue;
    }
    const auto entries = files.list(at);
    if (!entries) continue;
    for (const FolderEntry& entry : *entries) {
      if (entry.kind != FileKind::kSymlink) left.push_back(join_path(at, entry.name));
    }
  }
}

struct BoundSocket {
  std::string_view number;
  std::string_view path;
};

// Parses the rows of /proc/net/unix: "ADDRESS: COUNT PROTOCOL FLAGS TYPE STATE NUMBER PATH". A path
// may contain spaces.
std::vector<BoundSocket> bound_sockets(std::string_view table) {
  constexpr int kColumnsBeforeNumber = 6;
  std::vector<BoundSocket> sockets;
  for (std::string_view line : split_lines(table)) {
    const auto next_word = [&line] {
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      const std::string_view word = line.substr(0, line.find(' '));
      line.remove_prefix(word.size());
      return word;
    };
    for (int i = 0; i < kColumnsBeforeNumber; ++i) next_word();
    const std::string_view number = next_word();
    if (line.size() < 2 || number == "Inode") continue;
    line.remove_prefix(1);
    if (!line.starts_with('@')) sockets.push_back({number, line});
  }
  return sockets;
}

bool is_socket(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

void add_sockets_below(const std::string& folder, std::set<std::string>& found) {
  const RealFileSystem files;
  std::deque<std::string> left = {folder};
  for (std::size_t seen = 0; !left.empty() && seen < kMaxEntries;) {
    const std::string at = std::move(left.front());
    left.pop_front();
    const auto entries = files.list(at);
    if (!entries) continue;
    seen += entries->size();
    for (const FolderEntry& entry : *entries) {
      const std::string path = join_path(at, entry.name);
      if (entry.kind == FileKind::kFolder) left.push_back(path);
      if (entry.kind == FileKind::kOther && is_socket(path)) found.insert(path);
    }
  }
}

}  // namespace

bool is_written(const SandboxView& view, const std::string& path) {
  return std::any_of(view.write.begin(), view.write.end(),
                     [&path](const std::string& folder) { return is_below(path, folder); });
}

bool is_shown(const SandboxView& view, const std::string& path) {
  return is_written(view, path) ||
         std::any_of(view.read.begin(), view.read.end(),
                     [&path](const std::string& folder) { return is_below(path, folder); });
}

SandboxView system_view() {
  const RealFileSystem files;
  SandboxView view;
  for (const char* folder : kSystemFolders) add_system_folder(files, folder, view);
  if (::geteuid() != 0) return view;
  for (const char* secret : kSecrets) {
    if (files.link_info(secret).kind != FileKind::kMissing) view.hidden.emplace_back(secret);
  }
  return view;
}

std::vector<LandlockRule> landlock_rules(const SandboxView& view) {
  const RealFileSystem files;
  std::vector<LandlockRule> rules;
  for (const std::string& path : view.read) add_reads(files, view, path, rules);
  rules.push_back({"/proc", PathAccess::kRead});
  for (const char* device : kDevices) rules.push_back({device, PathAccess::kWrite});
  for (const std::string& path : view.write) rules.push_back({path, PathAccess::kWrite});
  return rules;
}

std::vector<std::string> UnixSockets::below(const std::vector<std::string>& folders) {
  const RealFileSystem files;
  const auto table = files.read("/proc/net/unix", kMaxTableBytes);
  if (!table) return {};
  std::set<std::string> relative;  // inodes
  std::set<std::string> sockets;
  for (const BoundSocket& socket : bound_sockets(*table)) {
    if (!socket.path.starts_with('/')) {
      relative.emplace(socket.number);
    } else if (const auto real = files.canonical(std::string(socket.path))) {
      sockets.insert(*real);
    }
  }
  for (const std::string& folder : folders) {
    std::set<std::string>& searched = searched_[folder];
    const bool knows_all =
        std::includes(searched.begin(), searched.end(), relative.begin(), relative.end());
    if (!knows_all) add_sockets_below(folder, found_);
    searched = relative;
  }
  sockets.insert(found_.begin(), found_.end());
  std::vector<std::string> inside;
  for (const std::string& path : sockets) {
    const bool below =
        std::any_of(folders.begin(), folders.end(),
                    [&path](const std::string& folder) { return is_below(path, folder); });
    if (below && is_socket(path)) inside.push_back(path);
  }
  return inside;
}

}  // namespace pedro
