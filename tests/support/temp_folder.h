#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "support/read_file.h"

namespace pedro {

/// A real, empty folder that is removed at the end of the test.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pedro-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = std::filesystem::canonical(name).string();
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  /// The path of `name` in the folder.
  std::string at(std::string_view name) const { return path_ + "/" + std::string(name); }

  /// Writes a file and creates the folders above it. Returns its path.
  std::string write(std::string_view name, std::string_view bytes) const {
    std::string path = at(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  /// Returns the bytes of a file. Fails the test if it does not exist.
  std::string read(std::string_view name) const { return read_file(at(name)); }

 private:
  std::string path_;
};

}  // namespace pedro
