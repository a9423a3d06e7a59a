#pragma once

#include <cstddef>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// Writes what `-debug=tokens` traces to `tokens.jsonl` in a job's folder, one JSON object a line;
/// the format is in docs/journal.md. What comes before there is a job is kept, up to kMaxKeptBytes,
/// and written when there is one. Borrows; one thread.
class TokenLog {
 public:
  static constexpr std::size_t kMaxKeptBytes = std::size_t{4} << 20;

  TokenLog(FileSystem& files, const Clock& clock) : files_(files), clock_(clock) {}

  void add(const Json& event);
  /// There is a job now; `folder` must exist.
  void open(const std::string& folder);
  /// The first write that failed; nothing was written after it.
  const Status& status() const { return status_; }

 private:
  void append(std::string_view lines);

  FileSystem& files_;
  const Clock& clock_;
  std::string path_;  // "": there is no job yet
  std::string kept_;
  std::size_t lost_ = 0;
  Status status_;
};

}  // namespace pedro
