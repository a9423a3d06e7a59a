#include "blog/sentences.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Returns the bytes of a list marker at the start of a line, with blanks; 0 for none.
std::size_t marker_length(std::string_view line) {
  std::size_t at = indent_of(line);
  const std::size_t first = at;
  while (at < line.size() && is_digit(line[at]) && at - first < 4) ++at;
  const bool is_number = at > first && at < line.size() && (line[at] == '.' || line[at] == ')');
  const bool is_bullet =
      at == first && at < line.size() && (line[at] == '-' || line[at] == '*' || line[at] == '+');
  if (is_bullet || is_number) ++at;
  if ((!is_bullet && !is_number) || at >= line.size() || line[at] != ' ') return 0;
  return std::min(line.find_first_not_of(' ', at), line.size());
}

// Returns true if the word before a full stop does not end a sentence: "e.g.", "Dr.", an initial.
bool is_abbreviation(std::string_view before) {
  std::size_t begin = before.size();
  while (begin > 0 && !is_space(before[begin - 1]) && before.size() - begin < 8) --begin;
  std::string word = to_lower(before.substr(begin));
  word.erase(0, std::min(word.find_first_not_of("(\"'*_"), word.size()));
  constexpr std::array<std::string_view, 16> kKnown = {"e.g", "i.e",  "mr",  "mrs", "ms",  "dr",
                                                       "st",  "vs",   "no",  "ca",  "z.b", "approx",
                                                       "fig", "incl", "d.h", "prof"};
  if (word.size() == 1) return word[0] >= 'a' && word[0] <= 'z' && word[0] != 'i';
  return std::find(kKnown.begin(), kKnown.end(), word) != kKnown.end();
}

// Splits the prose of one block.
class BlockSplitter {
 public:
  BlockSplitter(std::string_view text, std::vector<Sentence>& out) : text_(text), out_(out) {}

  void split(const Sentence& block) {
    std::size_t begin = block.begin;
    for (std::size_t at = block.begin; at < block.end;) {
      bool ends = false;
      const std::size_t next = skip_mark(at, block.end, ends);
      if (ends) {
        add(block, begin, next);
        begin = next;
      }
      at = next;
    }
    add(block, begin, block.end);
  }

 private:
  // Returns the position after a full stop at `at` and its closing quotation marks and brackets.
  // Returns `at` + 1 for another byte. Sets `ends` if a sentence ends there.
  std::size_t skip_mark(std::size_t at, std::size_t end, bool& ends) const {
    for (const std::string_view wide : {"\u3002", "\uFF01", "\uFF1F"}) {
      ends = ends || text_.substr(at).starts_with(wide);
    }
    if (ends) return at + 3;
    const char c = text_[at];
    if (c != '.' && c != '!' && c != '?') return at + 1;
    const std::size_t next = skip_closing(at + 1, end);
    std::size_t word = next;
    while (word < end && is_space(text_[word])) ++word;
    const bool goes_on = word < end && (word == next || (text_[word] >= 'a' && text_[word] <= 'z'));
    ends = !goes_on && !(c == '.' && word < end && is_abbreviation(text_.substr(0, at)));
    return next;
  }

  std::size_t skip_closing(std::size_t at, std::size_t end) const {
    constexpr std::string_view kClosing = ".!?\"')]*_`";
    constexpr std::array<std::string_view, 4> kQuotes = {"\u201D", "\u2019", "\u00BB", "\u201C"};
    while (at < end) {
      const auto quote = std::find_if(kQuotes.begin(), kQuotes.end(), [&](std::string_view mark) {
        return text_.substr(at, end - at).starts_with(mark);
      });
      if (quote == kQuotes.end() && kClosing.find(text_[at]) == kClosing.npos) break;
      at += quote == kQuotes.end() ? 1 : quote->size();
    }
    return at;
  }

  void add(Sentence sentence, std::size_t begin, std::size_t end) {
    while (begin < end && is_space(text_[begin])) ++begin;
    while (end > begin && is_space(text_[end - 1])) --end;
    if (begin == end) return;
    sentence.begin = begin;
    sentence.end = end;
    out_.push_back(sentence);
  }

  std::string_view text_;
  std::vector<Sentence>& out_;
};

// Parses a text into blocks, line by line.
class BlockReader {
 public:
  explicit BlockReader(std::string_view text) : text_(text) {}

  std::vector<Sentence> read() {
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      take(text_.substr(begin, end - begin), begin);
      begin = end + 1;
    }
    close();
    return std::move(out_);
  }

 private:
  void take(std::string_view line, std::size_t begin) {
    const std::string_view bare = trim(line);
    const bool is_fence = bare.starts_with("```") || bare.starts_with("~~~");
    const std::size_t end = begin + line.size();
    if (!fence_.empty()) {
      block_.end = end;
      if (bare.starts_with(fence_) && bare.find_first_not_of(fence_[0]) == bare.npos) close();
    } else if (is_fence) {
      open(Sentence::Kind::kVerbatim, begin, begin, end);
      fence_ = bare.substr(0, 3);
    } else if (bare.empty()) {
      close();
    } else if (bare.starts_with('|')) {
      const bool goes_on = is_open_ && block_.kind == Sentence::Kind::kVerbatim;
      if (!goes_on) open(Sentence::Kind::kVerbatim, begin, begin, end);
      block_.end = end;
    } else if (bare.starts_with('#')) {
      open(Sentence::Kind::kHeading, begin, begin, end);
      close();
    } else {
      take_prose(line, begin);
    }
  }

  void take_prose(std::string_view line, std::size_t begin) {
    const std::size_t marker = marker_length(line);
    const std::size_t end = begin + line.size();
    const bool goes_on = is_open_ && marker == 0 && block_.kind == Sentence::Kind::kProse;
    if (goes_on) {
      block_.end = end;
      return;
    }
    open(Sentence::Kind::kProse, begin, begin + marker, end);
    block_.in_list = marker > 0;
    block_.indent = indent_of(line);
  }

  void open(Sentence::Kind kind, std::size_t line_begin, std::size_t begin, std::size_t end) {
    close();
    is_open_ = true;
    block_ = {kind, begin, end, blocks_++, false, 0, line_begin};
  }

  void close() {
    if (is_open_ && block_.kind == Sentence::Kind::kProse) BlockSplitter(text_, out_).split(block_);
    if (is_open_ && block_.kind != Sentence::Kind::kProse) out_.push_back(block_);
    is_open_ = false;
    fence_ = {};
  }

  std::string_view text_;
  std::vector<Sentence> out_;
  bool is_open_ = false;
  Sentence block_;
  std::size_t blocks_ = 0;
  std::string_view fence_;
};

}  // namespace

std::vector<Sentence> sentences_of(std::string_view text) {
  return BlockReader(text).read();
}

std::string without_sentences(std::string_view text, const std::vector<bool>& left_out) {
  const std::vector<Sentence> all = sentences_of(text);
  std::string kept;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i;
    std::vector<std::string> stay;
    for (; next < all.size() && all[next].block == all[i].block; ++next) {
      if (left_out[next]) continue;
      stay.emplace_back(text.substr(all[next].begin, all[next].end - all[next].begin));
    }
    const std::size_t end = next < all.size() ? all[next].line_begin : text.size();
    const std::size_t begin = all[i].line_begin;
    if (stay.size() == next - i) {
      kept += text.substr(begin, end - begin);
    } else if (!stay.empty()) {
      kept += std::string(text.substr(begin, all[i].begin - begin)) + join(stay, " ");
      kept += text.substr(all[next - 1].end, end - all[next - 1].end);
    }
    i = next;
  }
  return std::string(trim(kept));
}

}  // namespace pedro
