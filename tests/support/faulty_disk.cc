// A library to preload into a program (LD_PRELOAD). It makes one call that changes the disk fail,
// or kills the program at that call. Counts the calls of all threads on files below FAULT_FOLDER.
//
// FAULT_AT: the number of the call, from 1. FAULT_WITH: a value of errno, or "kill". FAULT_COUNT: a
// file that gets an "s" for every fsync() and a "w" for every other counted call: open() for
// writing, write(), rename(), mkdir() and ftruncate(). FAULT_LOG: a file that gets a line for each
// call that changes directory entries or syncs: "made", "renamed" or "synced", a blank and the
// path. FAULT_NO_LOCKS: if set, the disk does not support locks. FAULT_LOCAL_LOCKS: if set, locks
// do not exclude other processes, as if each was on another host. FAULT_HOST: the machine's name.
// FAULT_KILL_AFTER: the program is killed after this many calls that create, lock or chmod a file
// below FAULT_FOLDER. Child processes are not affected.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// The function that ours replaces.
template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

using Write = ssize_t(int, const void*, size_t);
using Open = int(const char*, int, ...);

class Fault {
 public:
  Fault() { ::unsetenv("LD_PRELOAD"); }

  // Returns true if this call is the one that fails.
  bool is_due(char kind, const char* path) {
    if (folder_.empty() || std::strncmp(path, folder_.c_str(), folder_.size()) != 0) return false;
    const long call = ++calls_;
    if (!count_.empty()) note(kind);
    if (call != at_) return false;
    if (with_ == "kill") std::raise(SIGKILL);
    errno = std::atoi(with_.c_str());
    return true;
  }

  bool is_due(char kind, int fd) {
    const std::string path = path_of(fd);
    return !path.empty() && is_due(kind, path.c_str());
  }

  // Kills the program if this was its last call.
  void is_done(const std::string& path) {
    if (kill_after_ == 0 || path.compare(0, folder_.size(), folder_) != 0) return;
    if (++done_ == kill_after_) std::raise(SIGKILL);
  }

  // Logs an action on a path.
  void tell(const char* what, const std::string& path) const {
    if (log_.empty() || folder_.empty() || path.compare(0, folder_.size(), folder_) != 0) return;
    add(log_, what + (" " + path) + "\n");
  }

  static std::string path_of(int fd) {
    char path[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
    return size <= 0 ? "" : std::string(path, static_cast<std::size_t>(size));
  }

 private:
  static void add(const std::string& file, const std::string& text) {
    const int fd = real<Open>("open")(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    (void)!real<Write>("write")(fd, text.data(), text.size());
    ::close(fd);
  }
  void note(char kind) const { add(count_, std::string(1, kind)); }

  std::atomic<long> calls_{0};
  std::atomic<long> done_{0};
  const long kill_after_ = std::atol(text_of("FAULT_KILL_AFTER").c_str());
  const long at_ = std::atol(text_of("FAULT_AT").c_str());
  const std::string with_ = text_of("FAULT_WITH");
  const std::string folder_ = text_of("FAULT_FOLDER");
  const std::string count_ = text_of("FAULT_COUNT");
  const std::string log_ = text_of("FAULT_LOG");
};

// Constructed before main(), and in time for earlier calls.
Fault& fault() {
  static Fault the_fault;
  return the_fault;
}
[[maybe_unused]] const Fault& made = fault();

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  if (fd > 2 && fault().is_due('w', fd)) return -1;
  return real<Write>("write")(fd, bytes, size);
}

int fsync(int fd) {
  if (fault().is_due('s', fd)) return -1;
  const int result = real<int(int)>("fsync")(fd);
  if (result == 0) fault().tell("synced", Fault::path_of(fd));
  return result;
}

int flock(int fd, int operation) noexcept {
  if (!text_of("FAULT_NO_LOCKS").empty()) {
    errno = ENOLCK;
    return -1;
  }
  if (!text_of("FAULT_LOCAL_LOCKS").empty()) return 0;
  const int result = real<int(int, int)>("flock")(fd, operation);
  fault().is_done(Fault::path_of(fd));
  return result;
}

int fchmod(int fd, mode_t mode) noexcept {
  const int result = real<int(int, mode_t)>("fchmod")(fd, mode);
  fault().is_done(Fault::path_of(fd));
  return result;
}

int uname(utsname* names) noexcept {
  const int result = real<int(utsname*)>("uname")(names);
  const std::string host = text_of("FAULT_HOST");
  if (result == 0 && !host.empty()) {
    std::snprintf(names->nodename, sizeof names->nodename, "%s", host.c_str());
  }
  return result;
}

int ftruncate(int fd, off_t size) noexcept {
  return fault().is_due('w', fd) ? -1 : real<int(int, off_t)>("ftruncate")(fd, size);
}

int rename(const char* from, const char* to) noexcept {
  if (fault().is_due('w', to)) return -1;
  const int result = real<int(const char*, const char*)>("rename")(from, to);
  if (result == 0) fault().tell("renamed", to);
  return result;
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (fault().is_due('w', path)) return -1;
  const int result = real<int(const char*, mode_t)>("mkdir")(path, mode);
  if (result == 0) fault().tell("made", path);
  return result;
}

int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if ((flags & O_ACCMODE) != O_RDONLY && fault().is_due('w', path)) return -1;
  const bool is_new = (flags & O_CREAT) != 0 && ::access(path, F_OK) != 0;
  const int fd = real<Open>("open")(path, flags, mode);
  if (fd >= 0 && is_new) fault().tell("made", path);
  if (fd >= 0 && is_new) fault().is_done(path);
  return fd;
}

}  // extern "C"
