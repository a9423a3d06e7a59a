#include "blog/blog_section.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "blog/sentences.h"
#include "blog/stated_facts.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

constexpr double kSaidShare = 0.5;  // least share of a note's key words in a text that states it
constexpr double kSupportedShare = 0.25;  // least share of a sentence's key words in its material
constexpr double kNoteShare = 0.5;        // least share of a text's key words in its note
constexpr std::size_t kMostNotesOfParagraph = 3;
constexpr std::size_t kFewestKeyWords = 4;
constexpr std::size_t kFewestCutLineBytes = 200;
constexpr std::size_t kFewestCutBytes = 800;  // texts before it are too short to be cut off

}  // namespace

bool is_about_post(std::string_view line, const Material& material) {
  constexpr std::string_view kSubjects[] = {
      "the author", "this section", "the section", "in this section", "this post",
      "the post",   "this article", "the article", "this text",       "the text"};
  constexpr std::string_view kNotes[] = {" the notes ",   " the note ",    " these notes ",
                                         " this note ",   " notes say ",   " notes state ",
                                         " the section ", " this section "};
  constexpr std::string_view kBare[] = {" post title ", " blog post ", " title ",
                                        " blog post title "};
  const std::string lower = " " + to_lower(trim(line)) + " ";
  if (std::find(std::begin(kBare), std::end(kBare), lower) != std::end(kBare)) return true;
  const auto lacks = [&](std::string_view words) { return material.words().share_of(words) == 0; };
  return std::any_of(std::begin(kSubjects), std::end(kSubjects),
                     [&](std::string_view subject) {
                       return lower.starts_with(" " + std::string(subject)) && lacks(subject);
                     }) ||
         std::any_of(std::begin(kNotes), std::end(kNotes), [&](std::string_view words) {
           return lower.find(words) != lower.npos && lacks(words);
         });
}

namespace {

bool is_supported(std::string_view sentence, const Material& material, bool by_words) {
  if (!unsupported(sentence, material).empty()) return false;
  if (is_about_post(sentence, material)) return false;
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

std::vector<std::string> note_faults(std::string_view text, const NoteItem& note,
                                     const Material& material, bool by_words) {
  if (note.is_verbatim) return {};
  if (trim(text).empty()) return {"missing: " + note.text};
  std::vector<std::string> faults = lint_markdown(text, 3);
  const auto add = [&faults](std::string fault) { faults.push_back(std::move(fault)); };
  for (std::string& fault : unsupported(text, material)) add(std::move(fault));
  StatedNumbers numbers;
  numbers.add(text);
  for (const std::string& number : numbers.missing_in(note.text)) {
    add("the number " + number + " is missing");
  }
  if (!by_words) return faults;
  for (const std::string& name : missing_names(note.text, text)) {
    add("the name " + name + " is missing");
  }
  const std::size_t negations = count_negations(text);
  const std::size_t wanted = count_negations(note.text);
  if (negations < wanted) add("a negation of the note is missing");
  if (negations > wanted) add("it has a negation that the note does not have");
  for (const Sentence& sentence : sentences_of(text)) {
    if (!is_about_post(text.substr(sentence.begin, sentence.end - sentence.begin), material))
      continue;
    add("it is about the notes; say what the note says");
    break;
  }
  WordIndex words;
  words.add(text);
  if (words.share_of(note.text) < kSaidShare) add("missing: " + note.text);
  const bool is_long = key_words(text).size() >= kFewestKeyWords;
  if (is_long && material.words().share_of(text) < kNoteShare)
    add("most of its words are not in the note");
  return faults;
}

bool contradicts(std::string_view sentence, const NoteItem& note) {
  if (note.is_verbatim || (count_negations(sentence) > 0) == (count_negations(note.text) > 0)) {
    return false;
  }
  WordIndex of_note;
  of_note.add(note.text);
  WordIndex of_sentence;
  of_sentence.add(sentence);
  return of_note.share_of(sentence) >= kSaidShare &&
         of_sentence.share_of(note.text) >= kSaidShare && !key_words(note.text).empty();
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

std::string without_sentences_of(std::string_view line, std::string_view other) {
  const auto texts_of = [](std::string_view text) {
    std::vector<std::string> texts;
    for (const Sentence& one : sentences_of(text)) {
      texts.push_back(to_lower(text.substr(one.begin, one.end - one.begin)));
    }
    return texts;
  };
  const std::vector<std::string> known = texts_of(other);
  std::vector<bool> left_out;
  for (const std::string& text : texts_of(line)) {
    left_out.push_back(std::find(known.begin(), known.end(), text) != known.end());
  }
  return without_sentences(line, left_out);
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

std::string with_full_stop(std::string text) {
  const bool is_line = text.find('\n') == text.npos;
  if (!is_line || text.empty() || static_cast<unsigned char>(text.back()) >= 0x80) return text;
  const std::size_t last = text.find_last_not_of("\")'`");
  const bool ends =
      last != text.npos && std::string_view(".!?:").find(text[last]) != std::string_view::npos;
  if (!ends) text += '.';
  return text;
}

std::string as_sentence(const NoteItem& note) {
  if (note.is_verbatim || note.text.empty()) return note.text;
  std::string text = note.text;
  if (text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  text = with_full_stop(std::move(text));
  return lint_markdown(text, 3).empty() ? text : escape_markdown(text);
}

NoteText settled_note(std::string_view text, const NoteItem& note, const Material& material,
                      bool by_words) {
  if (note.is_verbatim) return {note.text, true};
  std::string sound(trim(supported_part(text, material, by_words)));
  if (!note_faults(sound, note, material, by_words).empty()) return {as_sentence(note), false};
  return {with_full_stop(std::move(sound)), true};
}

std::string section_text(const std::vector<NoteText>& texts, const std::vector<NoteItem>& notes) {
  std::string text;
  std::size_t in_paragraph = 0;
  bool was_block = false;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const bool is_block = notes[i].is_verbatim || texts[i].text.find('\n') != std::string::npos;
    const bool continues = i > 0 && !is_block && !was_block &&
                           in_paragraph < kMostNotesOfParagraph &&
                           notes[i].topic == notes[i - 1].topic;
    if (i > 0) text += continues ? " " : "\n\n";
    text += texts[i].text;
    in_paragraph = continues ? in_paragraph + 1 : 1;
    was_block = is_block;
  }
  return text;
}

}  // namespace pedro
