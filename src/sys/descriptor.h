#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace pedro {

/// Owns a file descriptor of this process and closes it. For the sources of sys/ only.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void reset(int fd = -1);
  /// Returns the descriptor without closing it; the caller owns it.
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

/// Returns the message of an errno value, such as "No such file or directory".
std::string errno_text(int error);

/// Writes all bytes, despite partial writes and signals. Returns 0, or an errno value.
int write_all(int fd, std::string_view bytes);

/// Calls read(2), and repeats it when a signal interrupts it.
long read_some(int fd, char* buffer, std::size_t size);

}  // namespace pedro
