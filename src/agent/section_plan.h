#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agent/note_items.h"
#include "base/json.h"

namespace pedro {

/// Limit of notes per section. A small model forgets some of a longer list.
inline constexpr std::size_t kMostSectionNotes = 6;
/// Limit of sections per post.
inline constexpr std::size_t kMostSections = 12;

/// A section before it is written.
struct PlannedSection {
  std::string heading;             ///< "" where there is none yet
  std::vector<std::size_t> notes;  ///< places in the list of items, in order
};

/// Returns the number of sections for a post of `words` words about these items.
std::size_t section_count(const std::vector<NoteItem>& items, int words);

/// Assigns each item to exactly one section. Follows `outline`, the model's proposal
/// (prompts/blog/outline.schema.json), if it names 90 % of the items; missing items join the
/// previous item. Otherwise cuts the items into `count` runs, if possible between topics and
/// paragraphs. Without items, returns the sections of the proposal.
std::vector<PlannedSection> plan_sections(const std::vector<NoteItem>& items, const Json& outline,
                                          std::size_t count);

}  // namespace pedro
