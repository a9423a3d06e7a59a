#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// Where blanks are skipped, a newline is one of them or ends the rule.
enum class Newlines { kEndRule, kAreBlanks };

/// The small things of GBNF's text: blanks, names, numbers, characters. parse_gbnf puts them
/// together. Borrows the text, which must be UTF-8 without NUL.
class GbnfScanner {
 public:
  GbnfScanner(std::string_view name, std::string_view text) : name_(name), text_(text) {}

  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[offset_]; }
  bool at_digit() const { return peek() >= '0' && peek() <= '9'; }
  bool at_newline() const { return peek() == '\n' || peek() == '\r'; }

  /// Blanks, tabs and comments.
  void skip_blanks(Newlines newlines);

  /// Takes `expected` where it stands here.
  bool take(std::string_view expected);

  /// A rule's name, "" where there is none. More than a server takes: '_' and letters of every
  /// script are part of names here, so that check_gbnf can say what is wrong with them.
  std::string_view take_name();

  /// Digits; more than 64 bits have room for is the highest number. Requires at_digit().
  std::uint64_t take_number();

  /// What stands before the next `end`, which is taken as well. Error: no such on this line.
  Result<std::string_view> take_until(char end);

  /// A character of a literal or a class; escapes are resolved. May be half of a surrogate pair.
  Result<char32_t> take_character();

  /// "expected WHAT, found ..." with the place and the line (kConfig).
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
