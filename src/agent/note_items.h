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

/// The items of notes in order, each of at most about 45 words; what is neither a heading nor blank
/// is in one of them, of a code block 2,000 bytes. A dictation without full stops is cut at words
/// such as "and". Example: "Roof\n- done 22 May\n- cost 48,200" has two items with the topic
/// "Roof".
std::vector<NoteItem> note_items(std::string_view notes);

/// The number of words, by blanks.
std::size_t word_count(std::string_view text);

/// The items as a list for a prompt: topics on lines of their own, and each item after "[3] " where
/// `numbered`, else after "- ".
std::string list_items(const std::vector<NoteItem>& items, bool numbered);

}  // namespace pedro
