#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro::diagnostics {

/// A problem that a program found in a file.
struct Diagnostic {
  std::size_t line = 1;  ///< from 1
  std::string message;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// The lines that differ between two texts: one range, from the first to the last difference.
struct ChangedLines {
  std::size_t first = 1;  ///< from 1, in both texts
  std::size_t removed = 0;
  std::size_t added = 0;
  std::size_t total = 0;  ///< lines of the text before
};
ChangedLines changed_lines(std::string_view before, std::string_view after);

/// Returns the diagnostics of `after` that `before` lacks. An old one keeps its message, except
/// for numbers, and its line, which moves with the lines around it. The end of the text is one
/// place.
std::vector<Diagnostic> introduced(const std::vector<Diagnostic>& before,
                                   const std::vector<Diagnostic>& after,
                                   const ChangedLines& changed);

/// Returns lines "PATH:LINE: MESSAGE", at most 8 and about 2000 bytes, and the number of the
/// others.
std::string to_text(std::string_view path, const std::vector<Diagnostic>& list);

}  // namespace pedro::diagnostics
