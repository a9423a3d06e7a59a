#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Lines `first` to `last`, both counted from 1 and both meant. `last + 1 == first` is no line.
struct LineRange {
  std::size_t first = 1;
  std::size_t last = 0;

  bool empty() const { return last < first; }
  std::size_t size() const { return empty() ? 0 : last + 1 - first; }
  bool operator==(const LineRange&) const = default;
};

/// A text seen as lines. A line ends with "\n" or "\r\n"; a final line end ends the last line, it
/// does not begin an empty one. Lines are counted from 1. Holds views: the text has to outlive it.
class LineTable {
 public:
  explicit LineTable(std::string_view text);

  std::size_t size() const { return starts_.size() - 1; }
  /// Requires 1 <= line <= size(). Without its end.
  std::string_view line(std::size_t line) const;
  /// Returns the bytes of these lines, which must exist.
  std::string_view text(LineRange lines) const;
  /// "\n", "\r\n", or "" for a last line that has none.
  std::string_view end_of(std::size_t line) const;
  /// Offset of the first byte; size() + 1 gives the length of the text.
  std::size_t offset(std::size_t line) const { return starts_[line - 1]; }
  /// The line that holds the byte at `offset`; the last one where it lies behind the text.
  std::size_t line_at(std::size_t offset) const;
  /// The line end to write at `line`: that of the line, else of the line before, else "\n".
  std::string_view end_to_use_at(std::size_t line) const;
  /// The range cut to the lines that there are.
  LineRange clamp(LineRange range) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;  // of each line, then the length of the text
};

/// The lines as "12\tcode\n", which is how the model sees files everywhere. A line longer than
/// `max_line_bytes` is cut, and says so.
std::string numbered_lines(const LineTable& table, LineRange range,
                           std::size_t max_line_bytes = 2000);

}  // namespace pedro
