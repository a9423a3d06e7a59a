#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A text of a request, in one of the ways in which templates write it, and what stands for it in a
/// piece.
struct Spelling {
  std::string text;   ///< "\"read_file\""
  std::string value;  ///< "{{name_json}}"
  int owner = 0;      ///< of which of several it is
};

/// A spelling at its place in a text.
struct SpellingFound {
  std::size_t begin = 0;
  std::size_t end = 0;
  const Spelling* spelling = nullptr;
};

/// All spellings in `text`, front to back; where several begin at a place, the longest. At most
/// 1,000. Borrows `spellings`.
std::vector<SpellingFound> find_spellings(std::string_view text,
                                          std::span<const Spelling> spellings);

/// `text` from `begin` to `end`, with values in the places of the spellings in it.
std::string with_values(std::string_view text, std::size_t begin, std::size_t end,
                        std::span<const SpellingFound> found);

}  // namespace pedro
