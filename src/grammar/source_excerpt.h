#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// A place in a text as a person counts: both begin at 1. Lines end at "\n", "\r\n" or "\r"; a
/// column is a code point, or a byte that belongs to none.
struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Requires offset <= text.size(). A line end is the last column of its line.
LineColumn line_column(std::string_view text, std::size_t offset);

/// The line of `offset` and below it a caret, both indented by two blanks, without a final "\n".
/// Every code point takes one column: a tab is shown as a blank, what cannot be printed as U+FFFD.
/// Of a long line 76 columns are shown, at most 48 of them before the caret.
std::string excerpt(std::string_view text, std::size_t offset);

/// What compilers print: "name:3:12: message" and the excerpt.
std::string located(std::string_view name, std::string_view text, std::size_t offset,
                    std::string_view message);

}  // namespace pedro
