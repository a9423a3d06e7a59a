// Preloaded into a program (LD_PRELOAD), makes one call that changes the disk fail, or kills the
// program there. Calls are counted over all threads, if they are about files below FAULT_FOLDER.
//
// FAULT_AT: which call, from 1. FAULT_WITH: a value of errno, or "kill". FAULT_COUNT: a file that
// gets an "s" for every fsync() and a "w" for every other call that was counted: open() for
// writing, write(), rename() and ftruncate(). FAULT_NO_LOCKS: where it is set the disk knows no
// locks. Children are not preloaded.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
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

// The function behind ours.
template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

using Write = ssize_t(int, const void*, size_t);
using Open = int(const char*, int, ...);

class Fault {
 public:
  Fault() { ::unsetenv("LD_PRELOAD"); }

  // Whether this call is the one that fails.
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
    char path[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t size = ::readlink(link.c_str(), path, sizeof path - 1);
    if (size <= 0) return false;
    path[size] = 0;
    return is_due(kind, path);
  }

 private:
  void note(char kind) const {
    const int fd = real<Open>("open")(count_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    (void)!real<Write>("write")(fd, &kind, 1);
    ::close(fd);
  }

  std::atomic<long> calls_{0};
  const long at_ = std::atol(text_of("FAULT_AT").c_str());
  const std::string with_ = text_of("FAULT_WITH");
  const std::string folder_ = text_of("FAULT_FOLDER");
  const std::string count_ = text_of("FAULT_COUNT");
};

// Made before main(), and in time for whatever is called earlier.
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
  return fault().is_due('s', fd) ? -1 : real<int(int)>("fsync")(fd);
}

int flock(int fd, int operation) noexcept {
  if (!text_of("FAULT_NO_LOCKS").empty()) {
    errno = ENOLCK;
    return -1;
  }
  return real<int(int, int)>("flock")(fd, operation);
}

int ftruncate(int fd, off_t size) noexcept {
  return fault().is_due('w', fd) ? -1 : real<int(int, off_t)>("ftruncate")(fd, size);
}

int rename(const char* from, const char* to) noexcept {
  return fault().is_due('w', to) ? -1 : real<int(const char*, const char*)>("rename")(from, to);
}

int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if ((flags & O_ACCMODE) != O_RDONLY && fault().is_due('w', path)) return -1;
  return real<Open>("open")(path, flags, mode);
}

}  // extern "C"
