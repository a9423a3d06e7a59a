#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/material.h"
#include "agent/note_items.h"

namespace pedro {

/// True if a text covers a note: all its numbers and 40 % of its key words. For code, the first
/// line counts. Pass `by_words` = false for a translation, to compare numbers only.
bool says_note(std::string_view text, const NoteItem& note, bool by_words);

/// Returns the indices of the notes that a section does not cover.
std::vector<std::size_t> missing_notes(std::string_view text, const std::vector<NoteItem>& notes,
                                       bool by_words);

/// Removes unsupported sentences: those with numbers, quotations or links that the material lacks,
/// those with few of its key words (if `by_words`), repeated ones, those about the notes ("The
/// notes say ..."), and an unfinished last sentence of a long text.
std::string supported_part(std::string_view text, const Material& material, bool by_words);

/// Returns supported_part() of a section if it is valid Markdown, else "": the notes are then
/// written one by one. Leaves a section without notes unchanged.
std::string settled_text(std::string_view text, const std::vector<NoteItem>& notes,
                         const Material& material, bool by_words);

/// Removes an unfinished last sentence from a long line.
std::string without_cut_end(std::string_view line);

/// Returns a note as text of a post: a sentence, or code unchanged.
std::string as_sentence(const NoteItem& note);

/// Adds a sentence for the note with index `at`. It replaces sentences about that note if no other
/// note is lost, else it follows the sentence of the previous note.
std::string with_note(std::string_view text, const std::string& sentence,
                      const std::vector<NoteItem>& notes, std::size_t at, bool by_words);

}  // namespace pedro
