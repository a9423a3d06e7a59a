#include "sys/open_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr int kMaxEntries = 1'000'000;

// Adds the permission bits `needed` to a file or folder that lacks them.
void add_mode(const std::string& path, const struct stat& state, mode_t needed) {
  if ((state.st_mode & needed) == needed) return;
  (void)::chmod(path.c_str(), (state.st_mode & 07777) | needed);
}

}  // namespace

void open_tree(const std::string& root) {
  std::vector<std::string> todo{root};
  int entries = 0;
  while (!todo.empty()) {
    const std::string folder = std::move(todo.back());
    todo.pop_back();
    DIR* const open = ::opendir(folder.c_str());
    if (open == nullptr) continue;
    while (const dirent* const entry = ::readdir(open)) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || name == ".git" || ++entries > kMaxEntries) continue;
      const std::string path = join_path(folder, name);
      struct stat state {};
      if (::lstat(path.c_str(), &state) != 0) continue;
      if (S_ISDIR(state.st_mode)) {
        add_mode(path, state, S_IRWXU);
        todo.push_back(path);
      } else if (S_ISREG(state.st_mode)) {
        add_mode(path, state, S_IRUSR);
      }
    }
    ::closedir(open);
  }
}

}  // namespace pedro
