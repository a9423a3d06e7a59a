#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"
#include "sys/descriptor.h"

namespace pedro {

/// Reads a file while another process appends to it. One thread.
class GrowingFile {
 public:
  /// Errors (kUsage): the file is missing, or not a regular file.
  static Result<GrowingFile> open(const std::string& path);

  /// Returns bytes added since the last call, at most 1 MiB; "" if there are none. Errors
  /// (kInternal): the file cannot be read.
  Result<std::string> read_new();

  /// Returns true if the file was deleted, so that no more bytes can follow.
  bool removed() const;

 private:
  GrowingFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Descriptor file_;
  std::int64_t read_bytes_ = 0;
};

}  // namespace pedro
