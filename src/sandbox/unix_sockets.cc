#include "sandbox/unix_sockets.h"

#include <sys/stat.h>

#include <algorithm>
#include <deque>

#include "base/text.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxTableBytes = 64u << 20;
constexpr std::size_t kMaxEntries = 200'000;

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
