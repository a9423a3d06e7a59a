#pragma once

#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// Writes the events of `-debug=tokens` to `tokens.jsonl` in a job's folder, one JSON object per
/// line. docs/journal.md describes the format. Borrows its arguments. One thread.
class TokenLog {
 public:
  TokenLog(FileSystem& files, const Clock& clock) : files_(files), clock_(clock) {}

  /// Sets the job's folder, which must exist.
  void open(const std::string& folder);
  /// Requires open().
  void add(const Json& event);
  /// Returns the first write error; nothing is written after it.
  const Status& status() const { return status_; }

 private:
  FileSystem& files_;
  const Clock& clock_;
  std::string path_;
  Status status_;
};

}  // namespace pedro
