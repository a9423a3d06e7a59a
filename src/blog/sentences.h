#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A sentence of a Markdown text, or a part that is not prose. Excludes list markers and outer
/// blanks.
struct Sentence {
  enum class Kind { kProse, kHeading, kVerbatim };  ///< kVerbatim: a code block or a table
  Kind kind = Kind::kProse;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t block = 0;       ///< index of its paragraph or list item, from 0
  bool in_list = false;        ///< part of a list item
  std::size_t indent = 0;      ///< columns before the marker of its list item
  std::size_t line_begin = 0;  ///< start of the block's first line, with its marker
};

/// Splits a text into sentences, in order. An unclosed code block extends to the end. O(bytes).
std::vector<Sentence> sentences_of(std::string_view text);

/// Removes the sentences flagged in `left_out`, which has one flag per sentence of
/// sentences_of(text). Removes list items and paragraphs that become empty.
std::string without_sentences(std::string_view text, const std::vector<bool>& left_out);

}  // namespace pedro
