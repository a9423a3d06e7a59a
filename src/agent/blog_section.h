#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/material.h"
#include "agent/note_items.h"

namespace pedro {

/// Returns true if a text covers a note: all its numbers and 40 % of its key words. For code, the
/// first line must occur. `by_words` = false compares numbers only, for translations.
bool says_note(std::string_view text, const NoteItem& note, bool by_words);

/// Returns the indexes of the notes that a section does not cover.
std::vector<std::size_t> missing_notes(std::string_view text, const std::vector<NoteItem>& notes,
                                       bool by_words);

/// Removes unsupported sentences:
/// - those with numbers, quotations or links that the material lacks
/// - those with few of its key words, if `by_words`
/// - repeated sentences
/// - those about the notes, for example "The notes say ..."
/// - an unfinished last sentence of a long text
std::string supported_part(std::string_view text, const Material& material, bool by_words);

/// Returns supported_part() of a section if it is valid Markdown. Otherwise returns "", and the
/// notes are then written one by one; a section without notes is returned unchanged.
std::string settled_text(std::string_view text, const std::vector<NoteItem>& notes,
                         const Material& material, bool by_words);

/// Removes an unfinished last sentence from a long line.
std::string without_cut_end(std::string_view line);

/// Returns a note as text of a post: one sentence, or code unchanged.
std::string as_sentence(const NoteItem& note);

/// Adds a sentence for the note with index `at`. It replaces sentences about that note unless other
/// notes would be lost. Otherwise it follows the sentence of the previous note.
std::string with_note(std::string_view text, const std::string& sentence,
                      const std::vector<NoteItem>& notes, std::size_t at, bool by_words);

}  // namespace pedro
