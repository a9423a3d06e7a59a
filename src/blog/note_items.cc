#include "blog/note_items.h"

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

}  // namespace pedro
