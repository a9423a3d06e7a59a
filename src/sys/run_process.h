#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/process.h"
#include "sys/start_process.h"

namespace pedro {

/// Starts a child on these streams and returns its process id. The child's PEDROCLI_RUN must
/// contain `marker`.
using ChildStarter =
    std::function<Result<int>(const std::string& marker, const ChildStreams& streams)>;

/// Implements ProcessRunner::run() for any way of starting the child. Kills a command with more
/// than `max_threads` threads in all its processes, within a tenth of a second. 0: no limit. That
/// is the only limit that binds root.
Result<ProcessResult> run_process(const Command& command, const CancelToken& cancel,
                                  const ChildStarter& start, std::size_t max_threads = 0);

/// Keeps the head and the tail of a stream of unknown length, half of `max_bytes` each. Uses at
/// most twice that memory.
class BoundedOutput {
 public:
  explicit BoundedOutput(std::size_t max_bytes)
      : max_head_(max_bytes / 2), max_tail_(max_bytes - max_bytes / 2) {}

  void add(std::string_view bytes);
  /// Returns true if bytes were dropped, or text() would drop some.
  bool is_cut() const { return dropped_bytes_ > 0 || tail_.size() > max_tail_; }
  /// Returns the number of bytes added, including dropped ones.
  unsigned long long bytes() const { return dropped_bytes_ + head_.size() + tail_.size(); }

  /// Returns all bytes, or head and tail with "[... N lines, M bytes left out ...]" on a line
  /// between them. Cuts at line ends where possible. The text is printable, valid UTF-8.
  std::string text() const;

 private:
  void drop_from_tail(std::size_t count);

  std::size_t max_head_;
  std::size_t max_tail_;
  std::string head_;
  std::string tail_;
  unsigned long long dropped_bytes_ = 0;
  unsigned long long dropped_lines_ = 0;
};

}  // namespace pedro
