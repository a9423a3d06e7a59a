#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace pedro {

/// The bytes of a regular file as they lie on the disk, without a copy. They are read when they are
/// looked at: whoever maps a file relies on nobody cutting it short meanwhile (the process would be
/// killed by SIGBUS). Owns the mapping.
class MappedFile {
 public:
  /// An Error (kUsage) is "PATH: reason".
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedFile();

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pedro
