#include "agent/blog_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/marked_text.h"
#include "agent/social_length.h"
#include "base/text.h"
#include "base/utf8.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

constexpr int kEditRounds = 2;

std::string bullets(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("{}- {}", text.empty() ? "" : "\n", line);
  return text;
}

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& one : list) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

std::size_t times_in(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string or_none(std::string text) {
  return text.empty() ? "(none)" : std::move(text);
}

// The section that holds a text once; null where none or several do.
BlogPost::Section* section_with(BlogPost& post, std::string_view text) {
  BlogPost::Section* found = nullptr;
  for (BlogPost::Section& section : post.sections) {
    const std::size_t count = times_in(section.text, text);
    if (count > 1 || (count == 1 && found != nullptr)) return nullptr;
    if (count == 1) found = &section;
  }
  return found;
}

bool apply(const Json& edit, BlogPost& post) {
  const std::string old_text = text_of(edit, "old");
  BlogPost::Section* section = old_text.empty() ? nullptr : section_with(post, old_text);
  if (section == nullptr) return false;
  section->text.replace(section->text.find(old_text), old_text.size(), text_of(edit, "new"));
  return true;
}

// Between marks, where there is something.
std::string given(std::string_view what, std::string_view text) {
  return trim(text).empty() ? "" : marked(what, text);
}

}  // namespace

std::string BlogPlace::facts() const {
  return cut_middle(bullets(facts_), room_bytes_ / 2, "");
}

std::string BlogPlace::outline() const {
  std::string text;
  for (const Json& section : member(outline_, "sections")) {
    text += fmt::format("## {}\n\n", text_of(section, "heading"));
    for (const std::string& point : texts_of(member(section, "points"))) {
      text += fmt::format("- {}\n", point);
    }
    text += "\n";
  }
  return std::string(trim(text));
}

// The end of the text; what the post ends with comes when it is whole.
std::string BlogPlace::so_far() const {
  BlogPost post = post_;
  post.cited.clear();
  return std::string(trim(tail_utf8(body_of(post), room_bytes_ / 2)));
}

Result<std::string> BlogPlace::value(const std::string& variable, const PhaseItem& item) {
  if (variable == "working_title") return wishes_.title;
  if (variable == "words") return std::to_string(wishes_.words);
  if (variable == "section_words") {
    const std::size_t sections = std::max<std::size_t>(1, member(outline_, "sections").size());
    return std::to_string(std::max(60, wishes_.words / static_cast<int>(sections)));
  }
  if (variable == "language") return wishes_.language;
  if (variable == "style") return or_none(style_guide_);
  if (variable == "earlier_posts")
    return given("posts", cut_middle(wishes_.style, room_bytes_, ""));
  if (variable == "notes") return given("notes", cut_middle(wishes_.notes, room_bytes_ / 2, ""));
  if (variable == "facts") return facts();
  if (variable == "outline_text") return outline();
  if (variable == "part") {
    const auto index = static_cast<std::size_t>(item.number - 1);
    return index < chunks_.size() ? given("material", chunks_[index].text) : "";
  }
  if (variable == "problems") return or_none(bullets(problems()));
  if (variable == "so_far") return or_none(so_far());
  return cut_middle(body_of(post_), room_bytes_ * 2, "");
}

Result<Json> BlogPlace::list(const std::string& name, std::size_t room_bytes) {
  room_bytes_ = std::clamp<std::size_t>(room_bytes, 2 * 1024, 24 * 1024);
  Json items = Json::array();
  if (name == "edit_rounds") {
    for (int i = 1; i <= kEditRounds; ++i) items.push_back(i);
    return items;
  }
  chunks_ = material_.chunks(room_bytes_);
  for (const Material::Chunk& chunk : chunks_) {
    items.push_back(material_.sources()[chunk.source].name);
  }
  return items;
}

std::string BlogPlace::shown_of(const Phase& phase, const PhaseItem& item) {
  const auto index = static_cast<std::size_t>(item.number - 1);
  return phase.for_each == "sources" && index < chunks_.size() ? chunks_[index].text : "";
}

Result<bool> BlogPlace::may_skip(const Phase& phase, const PhaseItem& item) {
  if (phase.prompt.uses("earlier_posts")) return wishes_.style.empty() || !style_guide_.empty();
  if (phase.evidence != Evidence::kEdits || item.number == 1) return false;
  return !last_edits_ && problems().empty();
}

std::optional<std::string> BlogPlace::refuse(const char* feedback,
                                             const std::vector<std::string>& problems) const {
  if (problems.empty()) return std::nullopt;
  return feedback_.text(feedback, {{"problems", bullets(problems)}});
}

// Research quotes what it was shown; all else says what the material says, and what is to be a
// line is one.
std::vector<std::string> BlogPlace::unsupported_in(const Phase& phase, const PhaseItem& item,
                                                   const Json& output) const {
  std::vector<std::string> problems;
  if (member(output, "facts").is_array()) {
    Material shown;
    const auto index = static_cast<std::size_t>(item.number - 1);
    if (!phase.for_each.empty() && index < chunks_.size()) {
      shown.add({"", chunks_[index].text});
    }
    for (const Json& fact : member(output, "facts")) {
      const std::string quote = text_of(fact, "quote");
      if (shown.has_words(quote)) continue;
      problems.push_back(fmt::format("\"{}\" does not stand in it", quote));
    }
    return problems;
  }
  const auto add = [&](std::string_view what, std::vector<std::string> found) {
    for (std::string& problem : found) {
      problems.push_back(what.empty()
                             ? std::move(problem)
                             : fmt::format("\"{}\": {}", cut_middle(what, 200, ""), problem));
    }
  };
  const auto add_line = [&](const std::string& line, LineOf place) {
    add(line, lint_line(line, place));
    add("", unsupported(line, material_));
  };
  const std::string text = text_of(output, "text");
  add("", lint_markdown(text, 3));
  add("", unsupported(text, material_));
  for (const std::string& point : texts_of(member(output, "tldr"))) add_line(point, LineOf::kItem);
  for (const Json& section : member(output, "sections")) {
    add_line(text_of(section, "heading"), LineOf::kHeading);
    for (const std::string& point : texts_of(member(section, "points"))) {
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

// What is told elsewhere has to be as true as the post.
std::vector<std::string> BlogPlace::unsupported_in_social(const Json& output) const {
  std::vector<std::string> problems;
  for (const char* service : {"x", "bluesky", "linkedin"}) {
    for (const std::string& problem : unsupported(text_of(output, service), material_)) {
      problems.push_back(fmt::format("{}: {}", service, problem));
    }
  }
  return problems;
}

std::vector<std::string> BlogPlace::edit_problems(const Json& output) const {
  std::vector<std::string> problems;
  BlogPost edited = post_;
  for (const Json& edit : member(output, "edits")) {
    if (apply(edit, edited)) continue;
    problems.push_back(fmt::format("`old` has to stand exactly once in the sections: \"{}\"",
                                   cut_middle(text_of(edit, "old"), 200, "")));
  }
  if (!problems.empty()) return problems;
  const std::vector<std::string> before = problems_of(post_, material_);
  for (std::string& problem : problems_of(edited, material_)) {
    if (std::find(before.begin(), before.end(), problem) != before.end()) continue;
    problems.push_back("after the edits: " + problem);
  }
  return problems;
}

Result<std::optional<std::string>> BlogPlace::refusal(const Phase& phase, const PhaseItem& item,
                                                      const Json& output) {
  switch (phase.evidence) {
    case Evidence::kMaterial:
      return refuse("not_in_material", unsupported_in(phase, item, output));
    case Evidence::kLengths:
      if (auto refused = refuse("too_long", social_problems(output))) return refused;
      return refuse("not_in_material", unsupported_in_social(output));
    case Evidence::kEdits:
      return refuse("edits_refused", edit_problems(output));
    default:
      return std::optional<std::string>();
  }
}

void BlogPlace::cite(const Source& source) {
  const bool known =
      std::any_of(post_.cited.begin(), post_.cited.end(),
                  [&](const BlogPost::Citation& cited) { return cited.name == source.name; });
  if (!known) post_.cited.push_back({source.name, source.link});
}

void BlogPlace::take(const Phase& phase, const PhaseItem& item, const Json& output) {
  if (output.is_null()) return;
  if (member(output, "guide").is_string()) style_guide_ = text_of(output, "guide");
  if (member(output, "facts").is_array()) {
    const auto index = static_cast<std::size_t>(item.number - 1);
    const Source source =
        index < chunks_.size() ? material_.sources()[chunks_[index].source] : Source();
    for (const Json& fact : member(output, "facts")) {
      facts_.push_back(fmt::format("{} (\"{}\", {})", text_of(fact, "fact"), text_of(fact, "quote"),
                                   source.name));
      if (source.is_cited) cite(source);
    }
  }
  if (member(output, "sections").is_array()) outline_ = output;
  if (member(output, "text").is_string() && !phase.for_each.empty()) {
    post_.sections.push_back({text_of(item.value, "heading"), text_of(output, "text")});
  }
  if (member(output, "tldr").is_array()) post_.tldr = texts_of(member(output, "tldr"));
  if (member(output, "title").is_string()) {
    if (wishes_.title.empty()) post_.title = trim(text_of(output, "title"));
    post_.summary = trim(text_of(output, "summary"));
    post_.tags = texts_of(member(output, "tags"));
  }
  if (member(output, "bluesky").is_string()) social_ = output;
  if (phase.evidence == Evidence::kEdits) {
    for (const Json& edit : member(output, "edits")) (void)apply(edit, post_);
    last_edits_ = !member(output, "edits").empty();
  }
}

Result<NextStep> BlogPlace::finished(const Phase& phase, const PhaseItem& item,
                                     const Json& output) {
  take(phase, item, output);
  if (item.number != item.total) return NextStep::kGoOn;
  if (Status kept = keep_version(phase); !kept) return kept.error();
  return NextStep::kGoOn;
}

Status BlogPlace::write(const std::string& name, const std::string& text) {
  const std::string path = join_path(folder_, name);
  if (Status made = files_.make_folders(std::string(folder_name(path)), 0755); !made) return made;
  return files_.write_atomic(path, text, 0644);
}

// The text as it is after a phase: facts and outline first, then the post.
Status BlogPlace::keep_version(const Phase& phase) {
  const std::string text = !post_.sections.empty() ? markdown_of(post_)
                           : !outline_.is_null()   ? outline() + "\n"
                                                   : bullets(facts_) + "\n";
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
