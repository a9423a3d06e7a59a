#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace pedro {

/// A new folder for this user only, gone with this value, whatever was put into it.
class ScratchFolder {
 public:
  /// Below `parent`, or where that is no folder to write into, below /tmp.
  static Result<ScratchFolder> make(const std::string& parent);

  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// Removes `path` and all below it; links are removed, not followed, and folders without rights are
/// given some. Depth costs neither stack nor descriptors. What cannot be removed stays.
void remove_tree(const std::string& path);

}  // namespace pedro
