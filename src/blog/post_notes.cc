#include "blog/post_notes.h"

#include <algorithm>

namespace pedro {
namespace {

constexpr std::size_t kMostWholeNotes = 40;  // author's notes used without a choice
constexpr std::size_t kMostPartNotes = 99;   // at most two digits
constexpr std::size_t kLeastSectionWords = 40;

}  // namespace

void PostNotes::read(const Material& material, std::size_t room_bytes) {
  *this = {};
  std::size_t own = 0;
  for (std::size_t i = 0; i < material.sources().size(); ++i) {
    std::size_t bytes = 0;
    for (NoteItem& item : note_items(material.sources()[i].text)) {
      own += material.sources()[i].is_cited ? 0 : 1;
      const bool begins = bytes == 0 || bytes + item.text.size() > room_bytes ||
                          parts_.back().size() == kMostPartNotes;
      if (begins) {
        sources_.push_back(i);
        parts_.emplace_back();
        bytes = 0;
      }
      bytes += item.text.size() + 1;
      parts_.back().push_back(std::move(item));
    }
  }
  for (const std::size_t source : sources_) {
    whole_.push_back(!material.sources()[source].is_cited && own <= kMostWholeNotes);
  }
}

std::string PostNotes::part_text(std::size_t part) const {
  return part < parts_.size() ? list_items(parts_[part], true) : "";
}

bool PostNotes::is_taken_whole(std::size_t part) const {
  return part < whole_.size() && whole_[part];
}

std::vector<std::size_t> PostNotes::chosen(std::size_t part, const Json& output) const {
  const std::size_t count = part < parts_.size() ? parts_[part].size() : 0;
  std::vector<std::size_t> places;
  for (const Json& number : member(output, "notes")) {
    if (!number.is_number_integer()) continue;
    const auto value = number.get<long long>();
    if (value < 1 || value > static_cast<long long>(count)) continue;
    places.push_back(static_cast<std::size_t>(value - 1));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

void PostNotes::choose(std::size_t part, const Json& output) {
  if (part >= parts_.size()) return;
  const std::vector<NoteItem>& notes = parts_[part];
  const std::size_t most =
      std::max<std::size_t>(1, kMostSections * kMostSectionNotes / parts_.size());
  if (output.is_null()) {
    const std::size_t count = whole_[part] ? notes.size() : std::min(most, notes.size());
    taken_.insert(taken_.end(), notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(count));
    return;
  }
  std::vector<std::size_t> places = chosen(part, output);
  if (places.size() > most) places.resize(most);
  for (const std::size_t place : places) taken_.push_back(notes[place]);
}

void PostNotes::plan(const Json& outline, int words) {
  plan_ = plan_sections(taken_, outline, section_count(taken_, words));
}

std::vector<NoteItem> PostNotes::of_section(std::size_t section) const {
  std::vector<NoteItem> notes;
  if (section >= plan_.size()) return notes;
  for (const std::size_t note : plan_[section].notes) notes.push_back(taken_[note]);
  return notes;
}

std::size_t PostNotes::section_words(std::size_t section, int words) const {
  const std::size_t share =
      static_cast<std::size_t>(std::max(0, words)) / std::max<std::size_t>(1, plan_.size());
  std::size_t in_notes = 0;
  for (const NoteItem& note : of_section(section)) in_notes += word_count(note.text);
  if (in_notes == 0) return share;
  return std::max(kLeastSectionWords, std::min(share, in_notes + in_notes / 4));
}

}  // namespace pedro
