#include "blog/section_plan.h"

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

}  // namespace pedro
