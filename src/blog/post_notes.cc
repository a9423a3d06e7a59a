#include "blog/post_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"
#include "blog/sentences.h"

namespace pedro {
namespace {

constexpr std::size_t kMostWords = 45;
constexpr std::size_t kFewestWords = 6;  // a shorter sentence joins another item
constexpr std::size_t kMostTopicWords = 6;
constexpr std::size_t kEarliestCut = 14;  // least words before a cut in speech
constexpr std::size_t kLatestCut = 30;
constexpr std::size_t kMostItemBytes = 2000;  // without blanks, or of code

std::string without_breaks(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? ' ' : c;
  }
  return std::string(trim(line));
}

bool has_full_stop(std::string_view text) {
  return !text.empty() && std::string_view(".!?").find(text.back()) != std::string_view::npos;
}

// Returns true for a word that begins a new thought in speech.
bool begins_thought(std::string_view word) {
  constexpr std::array<std::string_view, 14> kWords = {
      "and", "but",    "so",   "then", "because", "also",  "now",
      "oh",  "anyway", "okay", "what", "or",      "which", "basically"};
  const std::string lower = to_lower(word);
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

// Splits a text into pieces of at most kMostWords. Splits speech before a word that begins a
// thought.
std::vector<std::string> split_long(const std::string& line) {
  if (word_count(line) <= kMostWords && line.size() <= kMostItemBytes) return {line};
  std::vector<std::string> pieces;
  const std::vector<std::string_view> words = split(line, ' ');
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = std::min(words.size(), at + kLatestCut);
    for (std::size_t i = end; words.size() - at > kMostWords && i > at + kEarliestCut; --i) {
      if (i < words.size() && begins_thought(words[i])) {
        end = i;
        break;
      }
    }
    if (words.size() - at <= kMostWords) end = words.size();
    std::string piece;
    for (; at < end; ++at) piece += (piece.empty() ? "" : " ") + std::string(words[at]);
    for (std::string_view rest = piece; !rest.empty();) {
      std::string_view part = truncate_utf8(rest, kMostItemBytes);
      if (part.empty()) part = rest.substr(0, kMostItemBytes);  // not UTF-8
      pieces.emplace_back(part);
      rest.remove_prefix(part.size());
    }
  }
  return pieces;
}

// Collects items and their topics.
class ItemCollector {
 public:
  explicit ItemCollector(std::string_view notes) : notes_(notes), all_(sentences_of(notes)) {}

  std::vector<NoteItem> collect() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Sentence& sentence = all_[i];
      const std::string_view text = notes_.substr(sentence.begin, sentence.end - sentence.begin);
      if (sentence.kind == Sentence::Kind::kHeading) {
        const bool is_title = i == 0 && text.starts_with("# ");
        heading_ =
            is_title
                ? ""
                : without_breaks(text.substr(std::min(text.find_first_not_of('#'), text.size())));
        lead_.clear();
      } else if (sentence.kind == Sentence::Kind::kVerbatim) {
        items_.push_back({std::string(truncate_utf8(text, kMostItemBytes)), topic(), true, true});
      } else if (is_lead(i, text)) {
        lead_ = without_breaks(text);
        while (lead_.ends_with(':') || lead_.ends_with(' ')) lead_.pop_back();
        lead_is_item_ = sentence.in_list;
        lead_indent_ = sentence.indent;
      } else {
        add(i, without_breaks(text));
      }
    }
    return std::move(items_);
  }

 private:
  std::string topic() const { return lead_.empty() ? heading_ : lead_; }

  // Returns true for a few words without a full stop above a list.
  bool is_lead(std::size_t at, std::string_view text) const {
    const Sentence& sentence = all_[at];
    const bool alone = (at == 0 || all_[at - 1].block != sentence.block) && at + 1 < all_.size() &&
                       all_[at + 1].block != sentence.block;
    if (!alone || word_count(text) > kMostTopicWords || has_full_stop(text)) return false;
    const Sentence& next = all_[at + 1];
    if (next.kind == Sentence::Kind::kHeading) return false;
    if (sentence.in_list) return next.in_list && next.indent > sentence.indent;
    return next.in_list || text.ends_with(':');
  }

  void add(std::size_t at, std::string line) {
    const Sentence& sentence = all_[at];
    const bool left_lead = lead_is_item_ ? !sentence.in_list || sentence.indent <= lead_indent_
                                         : !sentence.in_list && at > 0 && all_[at - 1].in_list;
    if (!lead_.empty() && left_lead) lead_.clear();
    const bool same_block = at > 0 && all_[at - 1].block == sentence.block && !items_.empty();
    if (same_block) {
      NoteItem& before = items_.back();
      const std::size_t words = word_count(line);
      const std::size_t words_before = word_count(before.text);
      const bool is_short = words < kFewestWords || words_before < kFewestWords;
      if (is_short && words + words_before <= kMostWords &&
          before.text.size() + line.size() < kMostItemBytes) {
        before.text += " " + line;
        return;
      }
    }
    bool begins_block = !same_block;
    for (std::string& piece : split_long(line)) {
      items_.push_back({std::move(piece), topic(), false, begins_block});
      begins_block = false;
    }
  }

  std::string_view notes_;
  std::vector<Sentence> all_;
  std::vector<NoteItem> items_;
  std::string heading_;
  std::string lead_;
  bool lead_is_item_ = false;
  std::size_t lead_indent_ = 0;
};

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

std::vector<NoteItem> note_items(std::string_view notes) {
  return ItemCollector(notes).collect();
}

std::size_t word_count(std::string_view text) {
  std::size_t count = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank && !in_word) ++count;
    in_word = !blank;
  }
  return count;
}

std::string list_items(const std::vector<NoteItem>& items, bool numbered) {
  std::string text;
  std::string topic;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const NoteItem& item = items[i];
    if (item.topic != topic) text += text.empty() ? "" : "\n";
    if (item.topic != topic && !item.topic.empty()) text += item.topic + ":\n";
    topic = item.topic;
    const std::string mark = numbered ? fmt::format("[{}]", i + 1) : "-";
    text += fmt::format("{}{}{}\n", mark, item.is_verbatim ? "\n" : " ", item.text);
  }
  return std::string(trim(text));
}

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
