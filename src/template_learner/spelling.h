#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A text of a request in one of the templates' spellings, and its variable in a piece.
struct Spelling {
  std::string text;   ///< "\"read_file\""
  std::string value;  ///< "{{name_json}}"
  int owner = 0;      ///< index of the object that it belongs to
};

/// A spelling and its position in a text.
struct SpellingFound {
  std::size_t begin = 0;
  std::size_t end = 0;
  const Spelling* spelling = nullptr;
};

/// Finds all spellings in `text`, in order; at each position the longest. At most 1,000. Borrows
/// `spellings`.
std::vector<SpellingFound> find_spellings(std::string_view text,
                                          std::span<const Spelling> spellings);

/// Returns `text` from `begin` to `end` with its spellings replaced by their values.
std::string with_values(std::string_view text, std::size_t begin, std::size_t end,
                        std::span<const SpellingFound> found);

}  // namespace pedro
