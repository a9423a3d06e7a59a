#include "blog/blog_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/marked_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "blog/blog_section.h"
#include "blog/sentences.h"
#include "blog/social_length.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

constexpr int kMostRefusals = 2;  // per phase, or per item of a phase
constexpr std::size_t kMostHeadingWords = 8;
constexpr std::size_t kFewestPointWords = 2;  // words of a point of the summary
constexpr std::size_t kShortWordBytes = 3;
constexpr std::size_t kFewestOpenWords = 4;  // the same without a full stop
constexpr double kSubjectShare = 0.5;        // least share of a line's key words in the material
constexpr const char* kServices[] = {"x", "bluesky", "linkedin"};

std::string bullets(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("{}- {}", text.empty() ? "" : "\n", line);
  return text;
}

std::string or_none(std::string text) {
  return text.empty() ? "(none)" : std::move(text);
}

// Returns the texts for a note by its number, from 1. Number 0: all texts.
std::string text_for(const Json& output, std::size_t number) {
  std::string text;
  for (const Json& part : member(output, "notes")) {
    const bool is_wanted = number == 0 || number_of(part, "note") == static_cast<long long>(number);
    const std::string more(trim(text_of(part, "text")));
    if (is_wanted && !more.empty()) text += (text.empty() ? "" : number == 0 ? "\n\n" : " ") + more;
  }
  return text;
}

// Returns a text between marks, "" if it is blank.
std::string given(std::string_view what, std::string_view text) {
  return trim(text).empty() ? "" : marked(what, text);
}

std::size_t index_of(const PhaseItem& item) {
  return static_cast<std::size_t>(std::max(1, item.number) - 1);
}

std::string first_words(std::string_view text, std::size_t most) {
  std::string words;
  for (const std::string_view word : split(text, ' ')) {
    if (most-- == 0) break;
    words += (words.empty() ? "" : " ") + std::string(word);
  }
  // A short last word leads to words that are cut off: "Three hives in the".
  const std::size_t last = words.rfind(' ');
  const bool is_cut = words.size() < text.size() && last != words.npos;
  if (is_cut && words.size() - last <= kShortWordBytes + 1) words.resize(last);
  while (!words.empty() &&
         std::string_view(",;:-. ").find(words.back()) != std::string_view::npos) {
    words.pop_back();
  }
  return words;
}

}  // namespace

const BlogPlace::MissingNote* BlogPlace::missing_of(const PhaseItem& item) const {
  return index_of(item) < missing_.size() ? &missing_[index_of(item)] : nullptr;
}

// Returns true if words can be compared: post and material share a language.
bool BlogPlace::by_words(const std::string& text) const {
  std::string all = text;
  for (const BlogPost::Section& section : post_.sections) all += " " + section.text;
  return !notes_.all().empty() && material_.words().shares_language(all);
}

std::string BlogPlace::outline() const {
  std::string text;
  for (std::size_t i = 0; i < notes_.sections().size(); ++i) {
    const std::string& heading =
        i < post_.sections.size() ? post_.sections[i].heading : notes_.sections()[i].heading;
    text += fmt::format("## {}\n\n", heading);
    for (const NoteItem& item : notes_.of_section(i)) {
      text += fmt::format("{}{}\n", item.is_verbatim ? "\n" : "- ", item.text);
    }
    text += "\n";
  }
  return std::string(trim(text));
}

// Returns the notes of a phase's item. Empty for phases without notes.
std::vector<NoteItem> BlogPlace::notes_of(const Phase& phase, const PhaseItem& item) const {
  if (phase.for_each == "sections") return notes_.of_section(index_of(item));
  const MissingNote* missing = phase.for_each == "missing" ? missing_of(item) : nullptr;
  if (missing == nullptr) return {};
  return {notes_.of_section(missing->section)[missing->note]};
}

// Returns the material for checking a section: its own notes, or all material if it has none.
Material BlogPlace::material_of(const std::vector<NoteItem>& notes) const {
  if (notes.empty()) return material_;
  Material own;
  for (const NoteItem& note : notes) own.add({"", note.topic + "\n" + note.text});
  for (const std::string& wish : material_.wishes()) own.add_wish(wish);
  return own;
}

std::string BlogPlace::section_value(const std::string& variable, std::size_t section) const {
  const std::vector<NoteItem> notes = notes_.of_section(section);
  if (variable == "section_notes") return or_none(given("notes", list_items(notes, true)));
  if (variable == "heading")
    return section < notes_.sections().size() ? notes_.sections()[section].heading : "";
  return std::to_string(notes_.section_words(section, wishes_.words));
}

Result<std::string> BlogPlace::value(const std::string& variable, const PhaseItem& item) {
  if (variable == "working_title") return or_none(wishes_.title);
  if (variable == "words") return std::to_string(wishes_.words);
  if (variable == "language") return wishes_.language;
  if (variable == "style") return or_none(style_guide_);
  if (variable == "earlier_posts")
    return given("posts", cut_middle(wishes_.style, room_bytes_, ""));
  if (variable == "notes") return given("notes", cut_middle(wishes_.notes, room_bytes_ / 2, ""));
  if (variable == "facts") return or_none(given("notes", list_items(notes_.all(), true)));
  if (variable == "section_count")
    return std::to_string(section_count(notes_.all(), wishes_.words));
  if (variable == "part") return given("notes", notes_.part_text(index_of(item)));
  if (variable == "note") {
    const MissingNote* missing = missing_of(item);
    return missing == nullptr
               ? ""
               : given("note", notes_.of_section(missing->section)[missing->note].text);
  }
  if (variable != "post") return section_value(variable, index_of(item));
  BlogPost sections = post_;
  sections.cited.clear();
  sections.tldr.clear();  // keeps the text identical for all later phases
  return cut_middle(body_of(sections), room_bytes_ * 2, "");
}

Result<Json> BlogPlace::list(const std::string& name, std::size_t room_bytes) {
  Json items = Json::array();
  if (name == "sources") {
    room_bytes_ = std::clamp<std::size_t>(room_bytes, 2 * 1024, 24 * 1024);
    notes_.read(material_, room_bytes_);
    for (const std::size_t source : notes_.part_sources()) {
      items.push_back(material_.sources()[source].name);
    }
    return items;
  }
  if (name == "sections") {
    notes_.plan(outline_, wishes_.words);
    for (std::size_t i = 0; i < notes_.sections().size(); ++i) {
      items.push_back({{"heading", notes_.sections()[i].heading},
                       {"notes", list_items(notes_.of_section(i), false)}});
    }
    return items;
  }
  missing_.clear();
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (texts_[i].size() == 1) continue;  // was written alone
    for (std::size_t note = 0; note < texts_[i].size(); ++note) {
      if (texts_[i][note].is_own) continue;
      missing_.push_back({i, note});
      items.push_back(notes_.of_section(i)[note].text);
    }
  }
  return items;
}

std::string BlogPlace::shown_of(const Phase& phase, const PhaseItem& item) {
  return phase.for_each == "sources" ? notes_.part_text(index_of(item)) : "";
}

Result<bool> BlogPlace::may_skip(const Phase& phase, const PhaseItem& item) {
  if (phase.prompt.uses("earlier_posts")) return wishes_.style.empty() || !style_guide_.empty();
  return phase.for_each == "sources" && notes_.is_taken_whole(index_of(item));
}

Status BlogPlace::begin(const Phase&, const PhaseItem&) {
  refusals_ = 0;
  return {};
}

// Returns the feedback for faulty output. Accepts faulty output after the last refusal; take()
// keeps its valid part.
std::optional<std::string> BlogPlace::refuse(const std::vector<std::string>& problems) {
  if (problems.empty() || refusals_ == kMostRefusals) return std::nullopt;
  return feedback_.text(++refusals_ == 1 ? "not_in_material" : "not_in_material_again",
                        {{"problems", bullets(problems)}});
}

bool BlogPlace::is_sound_line(const std::string& line) const {
  return lint_line(line, LineOf::kItem).empty() && unsupported(line, material_).empty() &&
         !supported_part(line, material_, by_words("")).empty() && is_on_subject(line);
}

// Returns true if half of the line's key words are in the material, and it contradicts no note.
// Always true for translations.
bool BlogPlace::is_on_subject(const std::string& line) const {
  if (is_about_post(line, material_)) return false;
  if (!by_words("")) return true;
  const std::vector<Sentence> sentences = sentences_of(line);
  return material_.words().share_of(line) >= kSubjectShare &&
         std::none_of(sentences.begin(), sentences.end(), [&](const Sentence& one) {
           const std::string sentence = line.substr(one.begin, one.end - one.begin);
           return std::any_of(notes_.all().begin(), notes_.all().end(),
                              [&](const NoteItem& note) { return contradicts(sentence, note); });
         });
}

std::vector<std::string> BlogPlace::sound_points(const Json& output) const {
  std::vector<std::string> points;
  std::string said;
  for (const std::string& line : texts_of(member(output, "tldr"))) {
    const std::string point = without_sentences_of(without_cut_end(line), said);
    const bool is_closed =
        !point.empty() && std::string_view(".!?").find(point.back()) != point.npos;
    const std::size_t fewest = is_closed ? kFewestPointWords : kFewestOpenWords;
    if (word_count(point) < fewest || !is_sound_line(point)) continue;
    points.push_back(point);
    said += point + "\n\n";
  }
  return points;
}

std::vector<std::string> BlogPlace::problems_in(const Phase& phase, const PhaseItem& item,
                                                const Json& output) const {
  std::vector<std::string> problems;
  const auto add = [&](std::string_view what, const std::vector<std::string>& found) {
    for (const std::string& problem : found) {
      problems.push_back(
          what.empty() ? problem : fmt::format("\"{}\": {}", cut_middle(what, 200, ""), problem));
    }
  };
  const auto add_line = [&](const std::string& line, LineOf place) {
    add(line, lint_line(line, place));
    add("", unsupported(line, material_));
  };
  if (phase.for_each == "sources" && notes_.chosen(index_of(item), output).empty()) {
    add("", {"`notes` has no number from the list"});
  }
  const std::vector<NoteItem> own = notes_of(phase, item);
  if (phase.for_each == "missing" && !own.empty()) {
    const std::string text = text_of(output, "text");
    const Material material = material_of(own);
    if (refusals_ == 0 && !settled_note(text, own[0], material, by_words("")).is_own) {
      add("", note_faults(text, own[0], material, by_words("")));
    }
  } else if (phase.for_each == "sections") {
    add_section_problems(own, output, problems);
  }
  for (const Json& section : member(output, "sections")) {
    add_line(text_of(section, "heading"), LineOf::kHeading);
  }
  if (member(output, "tldr").is_array() && sound_points(output).size() < 2) {
    for (const std::string& point : texts_of(member(output, "tldr"))) {
      add_line(point, LineOf::kItem);
    }
  }
  if (member(output, "title").is_string()) {
    std::vector<std::string> lines = texts_of(member(output, "tags"));
    lines.push_back(text_of(output, "title"));
    lines.push_back(text_of(output, "summary"));
    for (const std::string& line : lines) {
      if (line.find_first_of("\r\n") != line.npos) add(line, {"it has more than one line"});
      add("", unsupported(line, material_));
    }
  }
  return problems;
}

// Adds the faults of each note's text. Several notes are refused once; the phase edit then writes
// the faulty ones one by one.
void BlogPlace::add_section_problems(const std::vector<NoteItem>& notes, const Json& output,
                                     std::vector<std::string>& problems) const {
  const std::string all = text_for(output, 0);
  if (notes.empty()) {
    for (std::string& fault : lint_markdown(all, 3)) problems.push_back(std::move(fault));
    for (std::string& fault : unsupported(all, material_)) problems.push_back(std::move(fault));
    return;
  }
  if (notes.size() > 1 && refusals_ > 0) return;
  const bool is_by_words = by_words(all);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const std::vector<std::string> faults =
        note_faults(text_for(output, i + 1), notes[i], material_of({notes[i]}), is_by_words);
    for (const std::string& fault : faults) {
      problems.push_back(notes.size() == 1 ? fault : fmt::format("note {}: {}", i + 1, fault));
    }
  }
}

// Returns the problems of the social media texts. They must be supported by the material, like the
// post.
std::vector<std::string> BlogPlace::problems_in_social(const Json& output) const {
  std::vector<std::string> problems;
  for (const char* service : kServices) {
    for (const std::string& problem : unsupported(text_of(output, service), material_)) {
      problems.push_back(fmt::format("{}: {}", service, problem));
    }
  }
  return problems;
}

Result<std::optional<std::string>> BlogPlace::refusal(const Phase& phase, const PhaseItem& item,
                                                      const Json& output) {
  if (phase.evidence == Evidence::kMaterial) return refuse(problems_in(phase, item, output));
  if (phase.evidence != Evidence::kLengths) return std::optional<std::string>();
  const std::vector<std::string> too_long = social_problems(output);
  if (!too_long.empty()) return refuse(too_long);
  return refuse(problems_in_social(output));
}

void BlogPlace::cite(const Source& source) {
  const bool known =
      std::any_of(post_.cited.begin(), post_.cited.end(),
                  [&](const BlogPost::Citation& cited) { return cited.name == source.name; });
  if (!known) post_.cited.push_back({source.name, source.link});
}

void BlogPlace::take_facts(const PhaseItem& item, const Json& output) {
  const std::size_t part = index_of(item);
  notes_.choose(part, output);
  if (notes_.chosen(part, output).empty()) return;
  const Source& source = material_.sources()[notes_.part_sources()[part]];
  if (source.is_cited) cite(source);
}

void BlogPlace::take_section(const PhaseItem& item, const Json& output) {
  const std::size_t at = index_of(item);
  const std::vector<NoteItem> notes = notes_.of_section(at);
  const std::string all = text_for(output, 0);
  std::string heading(trim(text_of(output, "heading")));
  const bool is_by_words = by_words(all) && !notes.empty();
  WordIndex words;
  words.add(list_items(notes, false));
  const auto is_sound = [&](const std::string& line) {
    return lint_line(line, LineOf::kHeading).empty() && unsupported(line, material_).empty() &&
           (!is_by_words || words.share_of(line) > 0) && !is_about_post(line, material_) &&
           std::none_of(post_.sections.begin(), post_.sections.end(),
                        [&](const BlogPost::Section& other) { return other.heading == line; });
  };
  if (!is_sound(heading) && at < notes_.sections().size()) heading = notes_.sections()[at].heading;
  if (!is_sound(heading) && !notes.empty() && !notes[0].topic.empty()) heading = notes[0].topic;
  if (!is_sound(heading) && !notes.empty()) heading = first_words(notes[0].text, kMostHeadingWords);
  std::vector<NoteText>& texts = texts_.emplace_back();
  for (std::size_t i = 0; i < notes.size(); ++i) {
    texts.push_back(
        settled_note(text_for(output, i + 1), notes[i], material_of({notes[i]}), is_by_words));
  }
  const std::string sound = supported_part(all, material_, false);
  post_.sections.push_back({heading, !notes.empty()  ? section_text(texts, notes)
                                     : sound.empty() ? all
                                                     : sound});
}

void BlogPlace::take_title(const Json& output) {
  const auto is_line = [&](const std::string& line) {
    return !line.empty() && line.find_first_of("\r\n") == line.npos &&
           unsupported(line, material_).empty();
  };
  std::string title(trim(text_of(output, "title")));
  const bool is_sound = is_line(title) && !is_about_post(title, material_);
  if (!is_sound && !post_.sections.empty()) title = post_.sections[0].heading;
  if (wishes_.title.empty()) post_.title = title;
  post_.summary = without_cut_end(trim(text_of(output, "summary")));
  if (!is_line(post_.summary) || !is_on_subject(post_.summary)) post_.summary.clear();
  post_.tags = texts_of(member(output, "tags"));
  std::erase_if(post_.tags, [&](const std::string& tag) { return !is_line(tag); });
}

// Stores the text for each service. Falls back to the title if a text is too long or has no
// supported part.
void BlogPlace::take_social(const Json& output) {
  social_ = Json::object();
  for (const char* service : kServices) {
    std::string text = supported_part(text_of(output, service), material_, by_words(""));
    Json alone = {{"x", "x"}, {"bluesky", "x"}, {"linkedin", "x"}};
    alone[service] = text;
    const bool is_sound = !text.empty() && social_problems(alone).empty();
    social_[service] = is_sound ? std::move(text) : post_.title;
  }
}

// Replaces a note in the post by the model's text if that states the note.
void BlogPlace::take_edit(const PhaseItem& item, const Json& output) {
  const MissingNote* missing = missing_of(item);
  if (missing == nullptr || missing->section >= post_.sections.size()) return;
  const std::vector<NoteItem> notes = notes_.of_section(missing->section);
  const NoteItem& note = notes[missing->note];
  texts_[missing->section][missing->note] =
      settled_note(text_of(output, "text"), note, material_of({note}), by_words(""));
  post_.sections[missing->section].text = section_text(texts_[missing->section], notes);
}

void BlogPlace::take(const Phase& phase, const PhaseItem& item, const Json& output) {
  if (phase.for_each == "sources") take_facts(item, output);
  if (phase.for_each == "missing") take_edit(item, output);
  if (output.is_null()) return;
  if (phase.for_each == "sections") take_section(item, output);
  if (member(output, "guide").is_string()) style_guide_ = text_of(output, "guide");
  if (member(output, "sections").is_array()) {
    outline_ = output;
    notes_.plan(outline_, wishes_.words);
  }
  if (member(output, "tldr").is_array()) post_.tldr = sound_points(output);
  if (member(output, "title").is_string()) take_title(output);
  if (member(output, "bluesky").is_string()) take_social(output);
}

Result<NextStep> BlogPlace::finished(const Phase& phase, const PhaseItem& item,
                                     const Json& output) {
  take(phase, item, output);
  if (item.number != item.total) return NextStep::kGoOn;
  PEDRO_RETURN_IF_ERROR(keep_version(phase));
  return NextStep::kGoOn;
}

Status BlogPlace::write(const std::string& name, const std::string& text) {
  const std::string path = join_path(folder_, name);
  if (Status made = files_.make_folders(std::string(folder_name(path)), 0755); !made) return made;
  return files_.write_atomic(path, text, 0644);
}

// Writes the text as of the end of a phase: facts first, then the outline, then the post.
Status BlogPlace::keep_version(const Phase& phase) {
  const std::string text = !post_.sections.empty() ? markdown_of(post_)
                           : !outline_.is_null()   ? outline() + "\n"
                                                   : list_items(notes_.all(), false) + "\n";
  ++versions_;
  if (trim(text).empty()) return {};
  return write(fmt::format("versions/{:02}-{}.md", versions_, phase.name), text);
}

std::vector<std::string> BlogPlace::problems() const {
  return problems_of(post_, material_);
}

Status BlogPlace::publish() {
  for (const auto& [name, text] : std::initializer_list<std::pair<const char*, std::string>>{
           {"outline.md", outline() + "\n"},
           {"social.json", to_pretty(social_.is_null() ? Json::object() : social_) + "\n"},
           {"post.html", page_of(post_)},
           {"post.md", markdown_of(post_)}}) {
    if (Status written = write(name, text); !written) return written;
  }
  return {};
}

}  // namespace pedro
