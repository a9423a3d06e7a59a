#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The lines `first` to `last`, inclusive, from 1. Empty if `last + 1 == first`.
struct LineRange {
  std::size_t first = 1;
  std::size_t last = 0;

  bool empty() const { return last < first; }
  std::size_t size() const { return empty() ? 0 : last + 1 - first; }
  bool operator==(const LineRange&) const = default;
};

/// The lines of a text. A line ends with "\n" or "\r\n"; a final line end does not begin another
/// line. Line numbers start at 1. Borrows the text.
class LineTable {
 public:
  explicit LineTable(std::string_view text);

  std::size_t size() const { return starts_.size() - 1; }
  /// Returns a line without its line end. Requires 1 <= line <= size().
  std::string_view line(std::size_t line) const;
  /// Returns the bytes of these lines, which must exist.
  std::string_view text(LineRange lines) const;
  /// Returns "\n", "\r\n", or "" for a last line without a line end.
  std::string_view end_of(std::size_t line) const;
  /// Returns the offset of the line's first byte; for size() + 1, the length of the text.
  std::size_t offset(std::size_t line) const { return starts_[line - 1]; }
  /// Returns the line that contains the byte at `offset`; the last line for an offset past the
  /// text.
  std::size_t line_at(std::size_t offset) const;
  /// Returns the line end for new text at `line`: that of the line, else of the line before, else
  /// "\n".
  std::string_view end_to_use_at(std::size_t line) const;
  /// Restricts the range to existing lines.
  LineRange clamp(LineRange range) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;  // of each line, then the length of the text
};

/// Returns the lines as "12\tcode\n", the format in which the model sees files. Truncates lines
/// longer than `max_line_bytes`, with a note.
std::string numbered_lines(const LineTable& table, LineRange range,
                           std::size_t max_line_bytes = 2000);

/// The numbered lines of each file that a model has seen, by path. A model writes all calls of a
/// reply before it sees their results. Its line numbers thus refer to the file before the reply.
///
///     views.begin_reply();
///     const MeantLines meant = views.find(path, {20, 21});
///     if (!meant.edited && !views.differ(path, table, meant.lines)) ...  // edit meant.lines
class LineViews {
 public:
  struct MeantLines {
    LineRange lines;      ///< current numbers
    bool edited = false;  ///< an earlier call of the reply changed some of them
  };

  void begin_reply();

  /// Records that the model has seen these lines of the file, or wrote them.
  void show(const std::string& path, const LineTable& table, LineRange lines);
  /// Records that `added` lines replaced the lines `removed`.
  void edit(const std::string& path, LineRange removed, std::size_t added);
  /// Records that the model wrote the whole file. Later line numbers in the reply refer to it.
  void write(const std::string& path, const LineTable& table);

  /// Converts line numbers of this reply to current ones.
  MeantLines find(const std::string& path, LineRange lines) const;
  /// Returns true if these lines or their neighbors changed since the model saw them. Ignores lines
  /// that it has not seen.
  bool differ(const std::string& path, const LineTable& table, LineRange lines) const;

 private:
  struct Edit {
    LineRange removed;
    std::size_t added = 0;
  };
  struct View {
    std::map<std::size_t, std::uint64_t> hashes;  // of lines, by current number
    std::vector<Edit> edits;                      // in this reply
  };
  std::map<std::string, View> views_;
};

}  // namespace pedro
