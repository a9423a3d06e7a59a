#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "blog/material.h"

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

/// The maximum number of notes per section. Small models forget some of a longer list.
inline constexpr std::size_t kMostSectionNotes = 6;
/// The maximum number of sections per post.
inline constexpr std::size_t kMostSections = 12;

/// A planned section.
struct PlannedSection {
  std::string heading;             ///< "" if there is none yet
  std::vector<std::size_t> notes;  ///< indexes of items, in order
};

/// Returns the number of sections for a post of `words` words about these items.
std::size_t section_count(const std::vector<NoteItem>& items, int words);

/// Assigns each item to exactly one section. Follows `outline`, the model's proposal
/// (prompts/blog/outline.schema.json), if it names 90 % of the items; unnamed items join the
/// previous item. Otherwise splits the items into about `count` runs, preferably between topics and
/// paragraphs. Without items, returns the sections of the proposal.
std::vector<PlannedSection> plan_sections(const std::vector<NoteItem>& items, const Json& outline,
                                          std::size_t count);

/// Selects the notes of a post: all of the author's own if few, and the model's choice from other
/// material. Call read(), then choose() for each part, then plan(). Indexes out of range have no
/// notes.
class PostNotes {
 public:
  /// Splits the material into parts of at most `room_bytes`, one for each prompt.
  void read(const Material& material, std::size_t room_bytes);

  /// Returns the index of each part's source in the material.
  const std::vector<std::size_t>& part_sources() const { return sources_; }
  /// Formats the notes of a part as a numbered list.
  std::string part_text(std::size_t part) const;
  /// Returns true if the post uses all notes of the part without a choice.
  bool is_taken_whole(std::size_t part) const;
  /// Returns the sorted indexes of the notes that the model named by number.
  std::vector<std::size_t> chosen(std::size_t part, const Json& output) const;
  /// Adds the notes that the model chose, or the first ones if `output` is null. The sections'
  /// capacity limits the total.
  void choose(std::size_t part, const Json& output);

  /// Returns all notes of the post.
  const std::vector<NoteItem>& all() const { return taken_; }

  /// Assigns the notes to the sections of the model's outline (plan_sections()).
  void plan(const Json& outline, int words);
  const std::vector<PlannedSection>& sections() const { return plan_; }
  std::vector<NoteItem> of_section(std::size_t section) const;
  /// Returns the word limit of a section: a quarter above its notes, at most its share of `words`.
  std::size_t section_words(std::size_t section, int words) const;

 private:
  std::vector<std::size_t> sources_;
  std::vector<std::vector<NoteItem>> parts_;
  std::vector<bool> whole_;
  std::vector<NoteItem> taken_;
  std::vector<PlannedSection> plan_;
};

}  // namespace pedro
