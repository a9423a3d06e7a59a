#include "sys/plain_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

constexpr int kPlainFolder = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// `step` opens the next folder: a name in an open one.
template <typename Step>
Descriptor walk(const std::string& path, Step step) {
  Descriptor here(::open("/", kPlainFolder));
  for (const std::string_view name : split(path, '/')) {
    if (!here.open()) break;
    if (!name.empty()) here = Descriptor(step(here.get(), std::string(name)));
  }
  return here;
}

int open_step(int folder, const std::string& name) {
  return ::openat(folder, name.c_str(), kPlainFolder);
}

int make_step(int folder, const std::string& name) {
  const int there = open_step(folder, name);
  if (there >= 0) return there;
  (void)::unlinkat(folder, name.c_str(), 0);
  (void)::mkdirat(folder, name.c_str(), 0755);
  return open_step(folder, name);
}

}  // namespace

Descriptor open_plain_folder(const std::string& path) {
  return walk(path, open_step);
}

Descriptor make_plain_folder(const std::string& path) {
  return walk(path, make_step);
}

}  // namespace pedro
