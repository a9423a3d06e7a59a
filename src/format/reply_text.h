#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pedro {

/// A reply that is still being written, and how far it has been read. Readers decide only what the
/// bytes so far decide, whatever comes behind them; so it does not matter where the pieces are cut.
class ReplyText {
 public:
  enum class Look : std::uint8_t { kNo, kYes, kMore };  ///< kMore: it depends on what comes

  void append(std::string_view piece) { text_ += piece; }
  void end() { ended_ = true; }

  std::string_view text() const { return text_; }
  bool ended() const { return ended_; }
  /// What was not read yet.
  std::string_view rest() const { return std::string_view(text_).substr(at); }
  /// Nothing is left, for now.
  bool at_edge() const { return at == text_.size(); }

  /// Whether `literal` stands at the byte `from`.
  Look look(std::size_t from, std::string_view literal) const;

  /// Reads up to the first of `literals`, which stays in front, and says which it is. -1 where none
  /// begins before the byte `until`: everything is read then that cannot be the beginning of one.
  int seek(std::span<const std::string_view> literals, std::size_t until = std::string_view::npos);

  /// Past blanks: space, tab, newline, carriage return. False where the text ends with them, so
  /// far.
  bool skip_blanks();

  std::size_t at = 0;  ///< how far it has been read

 private:
  std::string text_;
  bool ended_ = false;
};

}  // namespace pedro
