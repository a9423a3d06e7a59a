#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A piece of notes that a post has to contain: a bullet, a sentence or two, a block of code.
struct NoteItem {
  std::string text;          ///< as the notes have it, on one line unless `is_verbatim`
  std::string topic = {};    ///< the heading or the bullet above it; "" below the notes' title
  bool is_verbatim = false;  ///< code or a table
  bool begins_block = true;  ///< false for the next sentence of a paragraph
};

/// Splits notes into items of at most about 45 words, in order. All text except headings is in an
/// item; code blocks are cut at 2,000 bytes. Cuts dictation without full stops at words such as
/// "and". Example: "Roof\n- done 22 May\n- cost 48,200" has two items with the topic "Roof".
std::vector<NoteItem> note_items(std::string_view notes);

/// Counts words separated by blanks.
std::size_t word_count(std::string_view text);

/// Formats items as a list for a prompt. Topics get their own lines. Items begin with "[3] " if
/// `numbered`, else with "- ".
std::string list_items(const std::vector<NoteItem>& items, bool numbered);

}  // namespace pedro
