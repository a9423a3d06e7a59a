#include "agent/blog_section.h"

#include <algorithm>
#include <unordered_set>

#include "agent/sentences.h"
#include "base/text.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

constexpr double kSaidShare = 0.4;  // least share of a note's key words in a text that states it
constexpr double kSupportedShare = 0.25;  // least share of a sentence's key words in its material
constexpr double kAboutShare = 0.5;       // least share of a sentence's key words in its note
constexpr std::size_t kFewestKeyWords = 4;
constexpr std::size_t kFewestCutLineBytes = 200;
constexpr std::size_t kFewestCutBytes = 800;  // texts before it are too short to be cut off

std::string_view first_line_of_code(std::string_view block) {
  for (const std::string_view line : split_lines(block)) {
    const std::string_view bare = trim(line);
    if (!bare.empty() && !bare.starts_with("```") && !bare.starts_with("~~~")) return bare;
  }
  return {};
}

// Returns true for a sentence about the notes, for example "The notes of this section say ...".
// Returns false if the notes use the subject themselves. English only.
bool is_about_notes(std::string_view sentence, const Material& material) {
  constexpr std::string_view kSubjects[] = {"the notes",      "these notes",  "the note",
                                            "the author",     "this section", "the section",
                                            "in this section"};
  const std::string lower = to_lower(trim(sentence));
  return std::any_of(std::begin(kSubjects), std::end(kSubjects), [&](std::string_view subject) {
    return lower.starts_with(subject) && material.words().share_of(subject) == 0;
  });
}

bool is_supported(std::string_view sentence, const Material& material, bool by_words) {
  if (!unsupported(sentence, material).empty()) return false;
  if (is_about_notes(sentence, material)) return false;
  return !by_words || key_words(sentence).size() < kFewestKeyWords ||
         material.words().share_of(sentence) >= kSupportedShare;
}

bool is_cut(const Sentence& sentence, std::string_view text) {
  constexpr std::string_view kEnds = ".!?:;\"')]*_`";
  const unsigned char last = static_cast<unsigned char>(text.back());
  return sentence.kind == Sentence::Kind::kProse && !sentence.in_list && last < 0x80 &&
         kEnds.find(text.back()) == kEnds.npos;
}

}  // namespace

bool says_note(std::string_view text, const NoteItem& note, bool by_words) {
  if (trim(text).empty()) return false;
  if (note.is_verbatim) return text.find(first_line_of_code(note.text)) != text.npos;
  StatedNumbers numbers;
  numbers.add(text);
  if (!numbers.missing_in(note.text).empty()) return false;
  if (!by_words) return true;
  WordIndex words;
  words.add(text);
  return words.share_of(note.text) >= kSaidShare;
}

std::vector<std::size_t> missing_notes(std::string_view text, const std::vector<NoteItem>& notes,
                                       bool by_words) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    if (!says_note(text, notes[i], by_words)) missing.push_back(i);
  }
  return missing;
}

std::string supported_part(std::string_view text, const Material& material, bool by_words) {
  const std::vector<Sentence> sentences = sentences_of(text);
  std::vector<bool> left_out;
  std::unordered_set<std::string> known;
  for (const Sentence& sentence : sentences) {
    const std::string_view part = text.substr(sentence.begin, sentence.end - sentence.begin);
    const bool is_prose = sentence.kind == Sentence::Kind::kProse;
    const bool is_last = &sentence == &sentences.back() && sentence.begin >= kFewestCutBytes;
    left_out.push_back(!is_supported(part, material, by_words && is_prose) ||
                       (is_prose && !known.insert(to_lower(part)).second) ||
                       (is_last && is_cut(sentence, part)));
  }
  return without_sentences(text, left_out);
}

std::string settled_text(std::string_view text, const std::vector<NoteItem>& notes,
                         const Material& material, bool by_words) {
  std::string settled = supported_part(text, material, by_words);
  const bool is_sound = !settled.empty() && lint_markdown(settled, 3).empty() &&
                        unsupported(settled, material).empty();
  if (is_sound) return settled;
  return notes.empty() ? std::string(text) : "";
}

std::string without_cut_end(std::string_view line) {
  const std::vector<Sentence> sentences = sentences_of(line);
  if (line.size() < kFewestCutLineBytes || sentences.empty()) return std::string(line);
  const Sentence& last = sentences.back();
  if (!is_cut(last, line.substr(last.begin, last.end - last.begin))) return std::string(line);
  std::vector<bool> left_out(sentences.size(), false);
  left_out.back() = true;
  return without_sentences(line, left_out);
}

std::string as_sentence(const NoteItem& note) {
  if (note.is_verbatim || note.text.empty()) return note.text;
  std::string text = note.text;
  if (text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  const bool ends = std::string_view(".!?:)\"").find(text.back()) != std::string_view::npos;
  if (!ends && static_cast<unsigned char>(text.back()) < 0x80) text += '.';
  return lint_markdown(text, 3).empty() ? text : escape_markdown(text);
}

namespace {

// Returns for each sentence true if it mostly covers the note with index `at`, and no other note
// better.
std::vector<bool> sentences_about(std::string_view text, const std::vector<Sentence>& sentences,
                                  const std::vector<NoteItem>& notes, std::size_t at) {
  std::vector<WordIndex> words(notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i) words[i].add(notes[i].text);
  std::vector<bool> about;
  for (const Sentence& sentence : sentences) {
    const std::string_view part = text.substr(sentence.begin, sentence.end - sentence.begin);
    const double share = key_words(part).empty() ? 0 : words[at].share_of(part);
    const bool is_best = std::all_of(words.begin(), words.end(), [&](const WordIndex& other) {
      return other.share_of(part) <= share;
    });
    about.push_back(sentence.kind == Sentence::Kind::kProse && is_best && share >= kAboutShare);
  }
  return about;
}

// Replaces the sentences in `about` with `sentence`. Returns "" if there are none.
std::string replaced(std::string_view text, const std::string& sentence, std::vector<bool> about) {
  const auto first = std::find(about.begin(), about.end(), true);
  if (first == about.end()) return "";
  *first = false;
  const auto index = static_cast<std::size_t>(first - about.begin());
  std::string out = without_sentences(text, about);
  const Sentence old = sentences_of(out)[index];
  return out.replace(old.begin, old.end - old.begin, sentence);
}

// Inserts `sentence` after the sentence that covers the previous note best, or first.
std::string inserted(std::string_view text, const std::string& sentence,
                     const std::vector<Sentence>& sentences, const std::vector<NoteItem>& notes,
                     std::size_t at) {
  std::size_t after = at == 0 ? sentences.size() : sentences.size() - 1;
  double best = 0;
  for (std::size_t i = 0; at > 0 && i < sentences.size(); ++i) {
    WordIndex words;
    words.add(text.substr(sentences[i].begin, sentences[i].end - sentences[i].begin));
    const double share = words.share_of(notes[at - 1].text);
    if (share > best) after = i;
    best = std::max(best, share);
  }
  const bool is_first = after == sentences.size();
  const Sentence& beside = sentences[is_first ? 0 : after];
  const bool apart = beside.kind != Sentence::Kind::kProse || notes[at].is_verbatim;
  const std::string gap = apart ? "\n\n" : " ";
  const std::size_t place = is_first ? beside.begin : beside.end;
  std::string out(text.substr(0, place));
  const std::string_view rest = text.substr(place);
  if (is_first) return out + sentence + gap + std::string(rest);
  out += gap + sentence;
  if (!apart) return out.append(rest);
  return std::string(trim(
      out + gap + std::string(rest.substr(std::min(rest.find_first_not_of(" \n"), rest.size())))));
}

}  // namespace

std::string with_note(std::string_view text, const std::string& sentence,
                      const std::vector<NoteItem>& notes, std::size_t at, bool by_words) {
  const std::vector<Sentence> sentences = sentences_of(text);
  if (sentences.empty()) return sentence;
  const std::vector<std::size_t> before = missing_notes(text, notes, by_words);
  const std::string other = replaced(text, sentence, sentences_about(text, sentences, notes, at));
  const std::vector<std::size_t> after = missing_notes(other, notes, by_words);
  const bool loses = !std::includes(before.begin(), before.end(), after.begin(), after.end());
  return other.empty() || loses ? inserted(text, sentence, sentences, notes, at) : other;
}

}  // namespace pedro
