#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "sys/run_process.h"

namespace pedro {
namespace {

unsigned long long count_lines(std::string_view text) {
  return static_cast<unsigned long long>(std::count(text.begin(), text.end(), '\n'));
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Cuts after the last line end in the second half; without one, removes a truncated UTF-8 sequence
/// at the end.
std::string_view whole_head(std::string_view head) {
  const std::size_t line_end = head.rfind('\n');
  if (line_end != std::string_view::npos && line_end >= head.size() / 2) {
    return head.substr(0, line_end + 1);
  }
  std::size_t last = head.size();
  while (last > 0 && head.size() - last < 3 && is_continuation(head[last - 1])) --last;
  if (last > 0 && utf8_sequence_length(head.substr(last - 1)) == 0) return head.substr(0, last - 1);
  return head;
}

/// Cuts after the first line end in the first half; without one, removes a truncated UTF-8 sequence
/// at the start.
std::string_view whole_tail(std::string_view tail) {
  const std::size_t line_end = tail.find('\n');
  if (line_end != std::string_view::npos && line_end < tail.size() / 2) {
    return tail.substr(line_end + 1);
  }
  std::size_t torn = 0;
  while (torn < 3 && torn < tail.size() && is_continuation(tail[torn])) ++torn;
  return tail.substr(torn);
}

}  // namespace

void BoundedOutput::add(std::string_view bytes) {
  const std::size_t to_head = std::min(bytes.size(), max_head_ - head_.size());
  head_ += bytes.substr(0, to_head);
  tail_ += bytes.substr(to_head);
  // Trims rarely: each trim moves the whole tail within its buffer.
  if (tail_.size() > 2 * max_tail_) drop_from_tail(tail_.size() - max_tail_);
}

void BoundedOutput::drop_from_tail(std::size_t count) {
  dropped_bytes_ += count;
  dropped_lines_ += count_lines(std::string_view(tail_).substr(0, count));
  tail_.erase(0, count);
}

std::string BoundedOutput::text() const {
  if (!is_cut()) return make_printable(head_ + tail_);
  const std::string_view head = whole_head(head_);
  const std::string_view kept =
      std::string_view(tail_).substr(tail_.size() - std::min(tail_.size(), max_tail_));
  const std::string_view tail = whole_tail(kept);
  const std::string_view after_head = std::string_view(head_).substr(head.size());
  const std::string_view before_tail =
      std::string_view(tail_).substr(0, tail_.size() - tail.size());
  return fmt::format("{}{}[... {} lines, {} bytes left out ...]\n{}", make_printable(head),
                     head.empty() || head.ends_with('\n') ? "" : "\n",
                     dropped_lines_ + count_lines(after_head) + count_lines(before_tail),
                     dropped_bytes_ + after_head.size() + before_tail.size(), make_printable(tail));
}

}  // namespace pedro
