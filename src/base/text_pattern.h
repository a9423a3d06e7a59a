#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A byte range in a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A PCRE2 regular expression (https://www.pcre.org), compiled to machine code. Immutable;
/// thread-safe.
class TextPattern {
 public:
  /// The unit that `.` and classes match. With kCharacter, invalid UTF-8 matches nothing.
  enum class Unit { kCharacter, kByte };

  /// Compiles `pattern`. The Error (kUsage) is "at byte N: reason".
  static Result<TextPattern> compile(std::string_view pattern, Unit unit);
  TextPattern(TextPattern&&) noexcept;
  TextPattern& operator=(TextPattern&&) noexcept;
  ~TextPattern();

  /// Appends the non-empty matches in order and without overlap. Error (kLimit): more than 10
  /// million steps at one position; `matches` then keeps the earlier matches.
  Status find_all(std::string_view text, std::vector<TextRange>& matches) const;

 private:
  struct Compiled;
  explicit TextPattern(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace pedro
