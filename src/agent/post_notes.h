#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agent/material.h"
#include "agent/note_items.h"
#include "agent/section_plan.h"
#include "base/json.h"

namespace pedro {

/// The notes that a post has to say: all of the author's own, where they are few enough, and what
/// the model chooses from the rest of the material. First read(), then choose() for each part, then
/// plan(). Places that do not exist have no notes.
class PostNotes {
 public:
  /// Cuts the material into parts of at most `room_bytes` for a prompt each.
  void read(const Material& material, std::size_t room_bytes);

  /// The source of each part, by its place in the material.
  const std::vector<std::size_t>& part_sources() const { return sources_; }
  /// The notes of a part as a numbered list.
  std::string part_text(std::size_t part) const;
  /// True where there is nothing to choose: all notes of the part are in the post.
  bool is_taken_whole(std::size_t part) const;
  /// The places of a part's notes that the model's numbers name.
  std::vector<std::size_t> chosen(std::size_t part, const Json& output) const;
  /// Takes the notes that the model chose, the first ones where `output` is null. All parts
  /// together fill the sections at most.
  void choose(std::size_t part, const Json& output);

  /// All notes that were taken.
  const std::vector<NoteItem>& all() const { return taken_; }

  /// Spreads the notes over the sections of the model's outline (plan_sections()).
  void plan(const Json& outline, int words);
  const std::vector<PlannedSection>& sections() const { return plan_; }
  std::vector<NoteItem> of_section(std::size_t section) const;
  /// How many words a section has at most: hardly more than its notes, and its share of `words`.
  std::size_t section_words(std::size_t section, int words) const;

 private:
  std::vector<std::size_t> sources_;
  std::vector<std::vector<NoteItem>> parts_;
  std::vector<bool> whole_;
  std::vector<NoteItem> taken_;
  std::vector<PlannedSection> plan_;
};

}  // namespace pedro
