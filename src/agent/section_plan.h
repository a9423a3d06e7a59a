#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agent/note_items.h"
#include "base/json.h"

namespace pedro {

/// The most notes of one section: a small model forgets some of more.
inline constexpr std::size_t kMostSectionNotes = 6;
/// The most sections of a post.
inline constexpr std::size_t kMostSections = 12;

/// A section before it is written.
struct PlannedSection {
  std::string heading;             ///< "" where there is none yet
  std::vector<std::size_t> notes;  ///< places in the list of items, in order
};

/// How many sections a post of `words` words about these items has.
std::size_t section_count(const std::vector<NoteItem>& items, int words);

/// Sections that have each item exactly once. `outline` is the model's proposal
/// (prompts/blog/outline.schema.json): it is followed where it names nine in ten of the items, and
/// items that it leaves out join the item before them. Else the items are cut into `count` runs, if
/// possible between topics and paragraphs. Without items the sections are those of the proposal.
std::vector<PlannedSection> plan_sections(const std::vector<NoteItem>& items, const Json& outline,
                                          std::size_t count);

}  // namespace pedro
