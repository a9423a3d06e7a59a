#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A part of a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A regular expression of PCRE2 (https://www.pcre.org), compiled to machine code. Immutable; any
/// number of threads.
class TextPattern {
 public:
  /// The unit that `.` and classes match. With kCharacter, invalid UTF-8 matches nothing.
  enum class Unit { kCharacter, kByte };

  /// The Error (kUsage) is "at byte N: what is wrong".
  static Result<TextPattern> compile(std::string_view pattern, Unit unit);
  TextPattern(TextPattern&&) noexcept;
  TextPattern& operator=(TextPattern&&) noexcept;
  ~TextPattern();

  /// Appends the non-empty matches, in order and without overlap. The Error (kLimit) reports more
  /// than 10 million steps at one position; earlier matches are kept.
  Status find_all(std::string_view text, std::vector<TextRange>& matches) const;

 private:
  struct Compiled;
  explicit TextPattern(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace pedro
