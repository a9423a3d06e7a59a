#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pedro {

/// A partial reply and the read position. Readers decide only what the bytes so far determine, so
/// the boundaries between pieces do not matter.
class ReplyText {
 public:
  enum class Look : std::uint8_t { kNo, kYes, kMore };  ///< kMore: needs more bytes

  void append(std::string_view piece) { text_ += piece; }
  void end() { ended_ = true; }

  std::string_view text() const { return text_; }
  bool ended() const { return ended_; }
  /// The unread text.
  std::string_view rest() const { return std::string_view(text_).substr(at); }
  /// Returns true if no unread text is left for now.
  bool at_edge() const { return at == text_.size(); }

  /// Checks for `literal` at the byte `from`.
  Look look(std::size_t from, std::string_view literal) const;

  /// Reads up to the first of `literals`, but not the literal, and returns its index. Returns -1 if
  /// none starts before the byte `until`. Then everything is read that cannot start one.
  int seek(std::span<const std::string_view> literals, std::size_t until = std::string_view::npos);

  /// Skips space, tab, newline and carriage return. Returns false if no other byte follows yet.
  bool skip_blanks();

  std::size_t at = 0;  ///< offset of the first unread byte

 private:
  std::string text_;
  bool ended_ = false;
};

/// Skips blanks. Reads each blank once in total.
class NextNonBlank {
 public:
  explicit NextNonBlank(std::string_view blanks = " \t\n\r") : blanks_(blanks) {}

  /// Returns the position of the first non-blank at or after `from`; the text's size if there is
  /// none yet. Requires that `from` never decreases.
  std::size_t find(const ReplyText& reply, std::size_t from);

 private:
  std::string_view blanks_;
  std::size_t at_ = 0;
};

}  // namespace pedro
