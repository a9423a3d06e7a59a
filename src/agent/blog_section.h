#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/material.h"
#include "agent/note_items.h"

namespace pedro {

/// True where a text says what a note says: all its numbers and two in five of its key words. Of
/// code it is the first line. `by_words` is false for a translation: then only numbers count.
bool says_note(std::string_view text, const NoteItem& note, bool by_words);

/// The places of the notes that a section's text does not say.
std::vector<std::size_t> missing_notes(std::string_view text, const std::vector<NoteItem>& notes,
                                       bool by_words);

/// The text without the sentences that the material does not support: those with another's numbers,
/// quotations or links, those whose key words it hardly has (where `by_words`), those that stand
/// there twice, and the last one of a long text where it has no end.
std::string supported_part(std::string_view text, const Material& material, bool by_words);

/// supported_part() of a section where that is sound Markdown, else "": its notes are written one
/// by one then. Without notes the text stays as it is.
std::string settled_text(std::string_view text, const std::vector<NoteItem>& notes,
                         const Material& material, bool by_words);

/// The line without a last sentence that a bound has cut, which is one without an end in a long
/// line.
std::string without_cut_end(std::string_view line);

/// A note as a part of a post: a sentence, or code as it is.
std::string as_sentence(const NoteItem& note);

/// The text with a sentence for the note at `at`: in place of the sentences about that note where
/// no other note is lost by that, else after the sentence that says the note before.
std::string with_note(std::string_view text, const std::string& sentence,
                      const std::vector<NoteItem>& notes, std::size_t at, bool by_words);

}  // namespace pedro
