#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json.h"
#include "blog/note_items.h"

namespace pedro {

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

}  // namespace pedro
