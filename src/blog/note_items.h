#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A piece of notes that a post must contain: a bullet, one or two sentences, or a block of code.
struct NoteItem {
  std::string text;          ///< verbatim, on one line unless `is_verbatim`
  std::string topic = {};    ///< heading or bullet above it; "" directly below the title
  bool is_verbatim = false;  ///< code or a table
  bool begins_block = true;  ///< false for the next sentence of a paragraph
};

/// Splits notes into items of at most about 45 words, in order. Each text except headings is in an
/// item; code blocks are truncated at 2,000 bytes. Splits dictation without full stops at words
/// like "and". Example: "Roof\n- done 22 May\n- cost 48,200" has two items with the topic "Roof".
std::vector<NoteItem> note_items(std::string_view notes);

/// Returns the number of words separated by blanks.
std::size_t word_count(std::string_view text);

/// Formats items as a list for a prompt, with topics on separate lines. Items begin with "[3] " if
/// `numbered`, else with "- ".
std::string list_items(const std::vector<NoteItem>& items, bool numbered);

}  // namespace pedro
