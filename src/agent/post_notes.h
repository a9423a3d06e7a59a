#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agent/material.h"
#include "agent/note_items.h"
#include "agent/section_plan.h"
#include "base/json.h"

namespace pedro {

/// Selects the notes of a post: all of the author's own if they are few, and the model's choice
/// from the other material. Call read(), then choose() for each part, then plan(). Indices out of
/// range have no notes.
class PostNotes {
 public:
  /// Cuts the material into parts of at most `room_bytes` for a prompt each.
  void read(const Material& material, std::size_t room_bytes);

  /// Returns the index of each part's source in the material.
  const std::vector<std::size_t>& part_sources() const { return sources_; }
  /// Formats the notes of a part as a numbered list.
  std::string part_text(std::size_t part) const;
  /// True if all notes of the part are in the post without a choice.
  bool is_taken_whole(std::size_t part) const;
  /// Returns the indices of the notes that the model named by number.
  std::vector<std::size_t> chosen(std::size_t part, const Json& output) const;
  /// Takes the notes that the model chose, or the first ones if `output` is null. The total is
  /// limited to the room in the sections.
  void choose(std::size_t part, const Json& output);

  /// Returns all notes of the post.
  const std::vector<NoteItem>& all() const { return taken_; }

  /// Spreads the notes over the sections of the model's outline (plan_sections()).
  void plan(const Json& outline, int words);
  const std::vector<PlannedSection>& sections() const { return plan_; }
  std::vector<NoteItem> of_section(std::size_t section) const;
  /// Returns the word limit of a section: slightly more than its notes, at most its share of
  /// `words`.
  std::size_t section_words(std::size_t section, int words) const;

 private:
  std::vector<std::size_t> sources_;
  std::vector<std::vector<NoteItem>> parts_;
  std::vector<bool> whole_;
  std::vector<NoteItem> taken_;
  std::vector<PlannedSection> plan_;
};

}  // namespace pedro
