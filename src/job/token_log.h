#pragma once

#include <cstddef>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// Writes the events of `-debug=tokens` to `tokens.jsonl` in a job's folder, one JSON object per
/// line. docs/journal.md describes the format. Buffers events before the job exists, up to
/// kMaxKeptBytes. Borrows its arguments. One thread.
class TokenLog {
 public:
  static constexpr std::size_t kMaxKeptBytes = std::size_t{4} << 20;

  TokenLog(FileSystem& files, const Clock& clock) : files_(files), clock_(clock) {}

  void add(const Json& event);
  /// Starts writing to a job's folder, which must exist. Writes the buffered events first.
  void open(const std::string& folder);
  /// Returns the first write error; nothing is written after it.
  const Status& status() const { return status_; }

 private:
  void append(std::string_view lines);

  FileSystem& files_;
  const Clock& clock_;
  std::string path_;  // "": no job yet
  std::string kept_;
  std::size_t lost_ = 0;
  Status status_;
};

}  // namespace pedro
