#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "blog/material.h"
#include "blog/post_notes.h"

namespace pedro {

/// Returns the faults of a text that must state one note, one line each. It must have all numbers,
/// names and negations of the note and half of its key words. Half of its own key words must be in
/// the note. Nothing in it may be unsupported, and no sentence may be about the notes. `material`
/// has only this note. `by_words` = false compares numbers, quotations and links only, for
/// translations. Code has no faults: posts show it unchanged.
std::vector<std::string> note_faults(std::string_view text, const NoteItem& note,
                                     const Material& material, bool by_words);

/// Returns true if a sentence has most words of a note, and only one of them has a negation.
bool contradicts(std::string_view sentence, const NoteItem& note);

/// Removes unsupported sentences:
/// - those with numbers, quotations or links that the material lacks
/// - those with few of its key words, if `by_words`
/// - repeated sentences
/// - those about the notes, for example "The notes say ..."
/// - an unfinished last sentence of a long text
std::string supported_part(std::string_view text, const Material& material, bool by_words);

/// Removes the sentences of a line that another text has. Ignores case.
std::string without_sentences_of(std::string_view line, std::string_view other);

/// Removes an unfinished last sentence from a long line.
std::string without_cut_end(std::string_view line);

/// Returns true for a line about the notes, the section or the post, for example "The notes say
/// that …". Returns false if the notes use these words themselves. English only.
bool is_about_post(std::string_view line, const Material& material);

/// Ends a line with a full stop, unless a sign or a letter outside of ASCII ends it.
std::string with_full_stop(std::string text);

/// Returns a note as text of a post: one sentence, or code unchanged.
std::string as_sentence(const NoteItem& note);

/// Text of a post for one note.
struct NoteText {
  std::string text;
  bool is_own = true;  ///< false: the note itself, since no sound text was written
};

/// Returns the part of a model's text that states the note, else the note as a sentence.
NoteText settled_note(std::string_view text, const NoteItem& note, const Material& material,
                      bool by_words);

/// Joins the texts of a section's notes to paragraphs of at most three. Requires one for each note.
std::string section_text(const std::vector<NoteText>& texts, const std::vector<NoteItem>& notes);

}  // namespace pedro
