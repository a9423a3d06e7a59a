#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"
#include "sys/descriptor.h"

namespace pedro {

/// Reads a file that somebody else goes on appending to. For one thread.
class GrowingFile {
 public:
  /// Error (kUsage): there is no such file, or it is no regular one.
  static Result<GrowingFile> open(const std::string& path);

  /// What was added since the last time, at most 1 MiB at once; "" where there is nothing new.
  /// Error (kInternal): it cannot be read.
  Result<std::string> read_new();

  /// Whether the file has lost its name: nobody will add anything.
  bool removed() const;

 private:
  GrowingFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Descriptor file_;
  std::int64_t read_bytes_ = 0;
};

}  // namespace pedro
