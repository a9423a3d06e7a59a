#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// What is kept of a stream of unknown length: its head and its tail, half of `max_bytes` each.
/// Never holds more than twice that, whatever comes.
class BoundedOutput {
 public:
  explicit BoundedOutput(std::size_t max_bytes)
      : max_head_(max_bytes / 2), max_tail_(max_bytes - max_bytes / 2) {}

  void add(std::string_view bytes);
  /// More came than is kept.
  bool is_cut() const { return dropped_bytes_ > 0 || tail_.size() > max_tail_; }
  /// All that came.
  unsigned long long bytes() const { return dropped_bytes_ + head_.size() + tail_.size(); }

  /// Everything, or head and tail in whole lines where that is possible, with
  /// "[... N lines, M bytes left out ...]" on a line between. Printable, valid UTF-8.
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
