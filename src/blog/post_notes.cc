#include "blog/post_notes.h"

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kUsualSectionNotes = 4;
constexpr std::size_t kWordsPerSection = 80;

// Reads the sections of the outline. Keeps each item only in the first section that names it.
std::vector<PlannedSection> proposed(const Json& outline, std::size_t items,
                                     std::vector<std::size_t>& section_of) {
  std::vector<PlannedSection> sections;
  for (const Json& section : member(outline, "sections")) {
    PlannedSection planned{std::string(trim(text_of(section, "heading"))), {}};
    for (const Json& number : member(section, "notes")) {
      if (!number.is_number_integer()) continue;
      const auto note = number.get<long long>();
      if (note < 1 || note > static_cast<long long>(items)) continue;
      const auto at = static_cast<std::size_t>(note - 1);
      if (section_of[at] != items) continue;
      section_of[at] = sections.size();
      planned.notes.push_back(at);
    }
    if (!planned.notes.empty() || items == 0) sections.push_back(std::move(planned));
  }
  return sections;
}

// Adds unassigned items to the section of the previous item, or of the next one at the start.
void add_left_out(std::vector<PlannedSection>& sections, std::vector<std::size_t>& section_of) {
  const std::size_t items = section_of.size();
  std::size_t before = items;
  for (std::size_t i = 0; i < items && before == items; ++i) before = section_of[i];
  for (std::size_t i = 0; i < items; ++i) {
    if (section_of[i] == items) {
      section_of[i] = before;
      std::vector<std::size_t>& notes = sections[before].notes;
      const auto neighbour = std::find(notes.begin(), notes.end(), i - 1);
      notes.insert(i > 0 && neighbour != notes.end() ? neighbour + 1 : notes.begin(), i);
    }
    before = section_of[i];
  }
}

std::vector<PlannedSection> runs_of(const std::vector<NoteItem>& items, std::size_t count) {
  std::size_t total = 0;
  for (const NoteItem& item : items) total += word_count(item.text);
  const std::size_t wanted = std::max<std::size_t>(1, total / std::max<std::size_t>(1, count));
  std::vector<PlannedSection> sections;
  std::size_t words = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool new_topic = i > 0 && items[i].topic != items[i - 1].topic;
    const bool is_full = sections.empty() || sections.back().notes.size() == kMostSectionNotes ||
                         words * 4 >= wanted * 5 || (new_topic && words * 2 >= wanted) ||
                         (items[i].begins_block && words * 10 >= wanted * 9);
    if (is_full) {
      sections.push_back({items[i].topic, {}});
      words = 0;
    }
    sections.back().notes.push_back(i);
    words += word_count(items[i].text);
  }
  return sections;
}

constexpr std::size_t kMostWholeNotes = 40;  // author's notes used without a choice
constexpr std::size_t kMostPartNotes = 99;   // at most two digits
constexpr std::size_t kLeastSectionWords = 40;

}  // namespace

std::size_t section_count(const std::vector<NoteItem>& items, int words) {
  const auto parts = [&](std::size_t of) { return (items.size() + of - 1) / of; };
  const std::size_t wanted = static_cast<std::size_t>(std::max(0, words)) / kWordsPerSection;
  const std::size_t count = std::min(parts(kUsualSectionNotes), wanted);
  return std::clamp<std::size_t>(std::max(count, parts(kMostSectionNotes)), 2, kMostSections);
}

std::vector<PlannedSection> plan_sections(const std::vector<NoteItem>& items, const Json& outline,
                                          std::size_t count) {
  std::vector<std::size_t> section_of(items.size(), items.size());
  std::vector<PlannedSection> sections = proposed(outline, items.size(), section_of);
  if (items.empty()) return sections;
  const auto left_out =
      static_cast<std::size_t>(std::count(section_of.begin(), section_of.end(), items.size()));
  if (left_out * 10 > items.size() || (sections.size() < 2 && items.size() > kMostSectionNotes)) {
    return runs_of(items, count);
  }
  add_left_out(sections, section_of);
  return sections;
}

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
