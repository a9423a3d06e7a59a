#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// A location in a text; line and column begin at 1. Lines end at "\n", "\r\n" or "\r". A column is
/// a code point, or a byte that belongs to none.
struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Requires offset <= text.size(). A line end is the last column of its line.
LineColumn line_column(std::string_view text, std::size_t offset);

/// Returns the line of `offset` and a caret below it, both indented by two spaces, without a final
/// "\n". Every code point takes one column: a tab is printed as a space, an unprintable code point
/// as U+FFFD. Prints at most 76 columns of a line, at most 48 of them before the caret.
std::string excerpt(std::string_view text, std::size_t offset);

/// Formats a compiler-style message: "name:3:12: message" and the excerpt.
std::string located(std::string_view name, std::string_view text, std::size_t offset,
                    std::string_view message);

}  // namespace pedro
