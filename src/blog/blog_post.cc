#include "blog/blog_post.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "markdown/html_page.h"
#include "markdown/markdown.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPostSlugBytes = 60;
constexpr std::size_t kWordsPerMinute = 220;
constexpr std::size_t kWideCharactersPerMinute = 500;

bool is_address(std::string_view name) {
  return name.starts_with("https://") || name.starts_with("http://");
}

// Returns a front matter value: one line in double quotes, valid in YAML.
std::string in_quotes(std::string_view text) {
  return to_line(Json(replace_all(text, "\n", " ")));
}

std::string list_of(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + in_quotes(item);
  return "[" + text + "]";
}

// Returns the reading time in minutes, at least 1.
std::size_t minutes_of(const MarkdownFacts& text) {
  const std::size_t seconds = (text.words - text.wide_words) * 60 / kWordsPerMinute +
                              text.wide_words * 60 / kWideCharactersPerMinute;
  return std::max<std::size_t>(1, (seconds + 30) / 60);
}

std::string source_line(const BlogPost::Citation& cited) {
  if (is_address(cited.name)) return fmt::format("<{}>", cited.name);
  if (cited.link.empty()) return escape_markdown(base_name(cited.name));
  return fmt::format("[{}](<{}>)", escape_markdown(cited.name), escape_markdown(cited.link));
}

// Styles added to those of all pages: one column, set-off code and quotations.
constexpr std::string_view kStyle = R"(
body { font: 1.05rem/1.6 Georgia, "Times New Roman", serif; max-width: 42rem; }
h1, h2, h3 { font-family: system-ui, sans-serif; line-height: 1.25; break-after: avoid; }
h1 { font-size: 1.9rem; } h2 { font-size: 1.35rem; margin: 2rem 0 .6rem; } h3 { font-size: 1.1rem; }
.meta { color: var(--soft); margin: 0 0 1.5rem; font-size: .9em; }
a { color: inherit; text-underline-offset: .15em; }
pre { overflow-x: auto; padding: .8rem 1rem; background: var(--card); line-height: 1.45; }
pre, code { font-family: ui-monospace, monospace; font-size: .9rem; overflow-wrap: normal; }
:not(pre) > code { background: var(--card); padding: .1em .3em; overflow-wrap: anywhere; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line);
             color: var(--soft); }
img { max-width: 100%; height: auto; } hr { border: 0; border-top: 1px solid var(--line); }
@media print {
  :root { font-size: 11pt; } body { max-width: none; font-size: 1rem; }
  article { break-inside: auto; } pre, blockquote { break-inside: avoid; }
  pre { white-space: pre-wrap; border: 1px solid var(--line); } }
)";

}  // namespace

std::string body_of(const BlogPost& post) {
  std::string text;
  if (!post.tldr.empty()) text += "**TL;DR**\n\n";
  for (const std::string& point : post.tldr) text += fmt::format("- {}\n", trim(point));
  for (const BlogPost::Section& section : post.sections) {
    text += fmt::format("{}## {}\n\n{}\n", text.empty() ? "" : "\n", trim(section.heading),
                        trim(section.text));
  }
  if (!post.cited.empty()) text += "\n## Sources\n\n";
  for (const BlogPost::Citation& cited : post.cited) text += "- " + source_line(cited) + "\n";
  return text;
}

std::string markdown_of(const BlogPost& post) {
  const std::string body = body_of(post);
  const MarkdownFacts facts = read_markdown(body);
  return fmt::format(
      "---\ntitle: {}\ndate: {}\nlang: {}\ntags: {}\nsummary: {}\nwords: {}\nreading_time: {} "
      "min\n---\n\n{}",
      in_quotes(post.title), post.date, in_quotes(post.language), list_of(post.tags),
      in_quotes(post.summary), facts.words, minutes_of(facts), body);
}

std::string page_of(const BlogPost& post) {
  const std::string body = body_of(post);
  return html_page({.title = post.title,
                    .style = kStyle,
                    .body = fmt::format(
                        "<article>\n<h1>{}</h1>\n<p class=\"meta\">{} · {} min</p>\n{}</article>\n",
                        escape_html(post.title), post.date, minutes_of(read_markdown(body)),
                        markdown_to_html(body)),
                    .language = post.language,
                    .description = post.summary,
                    .with_images = true});
}

std::vector<std::string> problems_of(const BlogPost& post, const Material& material) {
  std::vector<std::string> problems;
  if (trim(post.title).empty()) problems.emplace_back("there is no title");
  if (post.sections.empty()) problems.emplace_back("there are no sections");
  for (const BlogPost::Section& section : post.sections) {
    if (trim(section.text).empty()) {
      problems.push_back(fmt::format("the section \"{}\" is empty", section.heading));
    }
    for (const std::string& problem : lint_markdown(section.text, 3)) {
      problems.push_back(fmt::format("in \"{}\": {}", section.heading, problem));
    }
    for (const std::string& problem : lint_line(section.heading, LineOf::kHeading)) {
      problems.push_back(fmt::format("the heading \"{}\": {}", section.heading, problem));
    }
  }
  for (const std::string& point : post.tldr) {
    for (const std::string& problem : lint_line(point, LineOf::kItem)) {
      problems.push_back(fmt::format("the point \"{}\": {}", point, problem));
    }
  }
  BlogPost said = post;  // without the generated list of sources
  said.cited.clear();
  const std::string text = body_of(said);
  if (problems.empty()) {  // valid parts may be invalid when combined
    problems = lint_markdown(text, 2);
    std::size_t headings = 0;
    for (const MarkdownFacts::Heading& heading : read_markdown(text).headings) {
      headings += heading.level == 2 ? 1 : 0;
    }
    if (headings != post.sections.size()) problems.emplace_back("expected one heading per section");
  }
  for (std::string& problem : unsupported(text, material)) problems.push_back(std::move(problem));
  return problems;
}

std::string post_slug(std::string_view title) {
  const std::string slug = slug_of(title, kMaxPostSlugBytes);
  if (!slug.empty() || trim(title).empty()) return slug.empty() ? "post" : slug;
  return "post-" + to_hex(hash_bytes(trim(title), kHashSeed)).substr(0, 8);
}

}  // namespace pedro
