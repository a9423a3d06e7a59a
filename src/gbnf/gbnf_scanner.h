#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// The role of a newline where blanks are skipped.
enum class Newlines { kEndRule, kAreBlanks };

/// Scans the lexical elements of GBNF: blanks, names, numbers, characters. parse_gbnf combines
/// them. Borrows the text, which must be UTF-8 without NUL.
class GbnfScanner {
 public:
  GbnfScanner(std::string_view name, std::string_view text) : name_(name), text_(text) {}

  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[offset_]; }
  bool at_digit() const { return peek() >= '0' && peek() <= '9'; }
  bool at_newline() const { return peek() == '\n' || peek() == '\r'; }

  /// Skips spaces, tabs and comments.
  void skip_blanks(Newlines newlines);

  /// Consumes `expected` and returns true if the text continues with it.
  bool take(std::string_view expected);

  /// Consumes a rule name; returns "" if there is none. Accepts more than a server: '_' and
  /// non-ASCII characters are part of names, so that check_gbnf can report them.
  std::string_view take_name();

  /// Consumes digits. Numbers that exceed 64 bits become the highest number. Requires at_digit().
  std::uint64_t take_number();

  /// Returns the text before the next `end` and consumes both. Error (kConfig): no `end` on this
  /// line.
  Result<std::string_view> take_until(char end);

  /// Consumes a character of a literal or a class and resolves escapes. The result may be half of a
  /// surrogate pair. Error (kConfig): an invalid escape.
  Result<char32_t> take_character();

  /// Returns "expected WHAT, found ..." with the location and the line (kConfig).
  Error expected(std::string_view what) const;
  Error error(std::size_t offset, std::string_view message) const;

 private:
  Result<char32_t> take_escape();
  Result<char32_t> take_hex(int digits);
  std::string found() const;

  std::string_view name_;
  std::string_view text_;
  std::size_t offset_ = 0;
};

}  // namespace pedro
