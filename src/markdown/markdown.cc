#include "markdown/markdown.h"

#include <cmark.h>
#include <fmt/format.h>

#include <memory>

#include "base/text.h"

namespace pedro {
namespace {

constexpr int kQuotedWords = 4;

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using Document = std::unique_ptr<cmark_node, FreeNode>;

struct FreeIter {
  void operator()(cmark_iter* iter) const { cmark_iter_free(iter); }
};

Document parse(std::string_view text) {
  return Document(cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT));
}

std::string literal_of(cmark_node* node) {
  const char* text = cmark_node_get_literal(node);
  return text == nullptr ? "" : text;
}

// Visits every node once, on the way in.
template <typename Visit>
void walk(cmark_node* root, const Visit& visit) {
  const std::unique_ptr<cmark_iter, FreeIter> iter(cmark_iter_new(root));
  for (;;) {
    const cmark_event_type event = cmark_iter_next(iter.get());
    if (event == CMARK_EVENT_DONE) return;
    if (event == CMARK_EVENT_ENTER) visit(cmark_iter_get_node(iter.get()));
  }
}

std::string text_below(cmark_node* node) {
  std::string text;
  walk(node, [&](cmark_node* inner) {
    const cmark_node_type type = cmark_node_get_type(inner);
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) text += literal_of(inner);
    if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) text += ' ';
    if (type == CMARK_NODE_PARAGRAPH && !text.empty()) text += ' ';
  });
  return std::string(trim(text));
}

std::size_t words_in(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    words += !blank && !inside ? 1 : 0;
    inside = !blank;
  }
  return words;
}

// Texts in "…" or “…” that are long enough to be somebody's words.
void add_quoted(std::string_view text, std::vector<std::string>& quotes) {
  static constexpr std::string_view kPairs[][2] = {{"\"", "\""}, {"\u201C", "\u201D"}};
  for (const auto& [open, close] : kPairs) {
    for (std::size_t at = text.find(open); at != text.npos;) {
      const std::size_t begin = at + open.size();
      const std::size_t end = text.find(close, begin);
      if (end == text.npos) break;
      const std::string_view inner = text.substr(begin, end - begin);
      if (words_in(inner) >= kQuotedWords) quotes.emplace_back(inner);
      at = text.find(open, end + close.size());
    }
  }
}

bool has_open_fence(std::string_view text) {
  std::string fence;
  for (const std::string_view line : split_lines(text)) {
    const std::string_view bare = trim(line);
    const std::size_t length = std::min(bare.find_first_not_of('`'), bare.size());
    const std::size_t tildes = std::min(bare.find_first_not_of('~'), bare.size());
    const std::size_t marks = std::max(length, tildes);
    if (marks < 3) continue;
    if (fence.empty()) {
      if (length >= 3 && bare.find('`', length) != bare.npos) continue;  // code in a line
      fence = bare.substr(0, marks);
    } else if (marks == bare.size() && marks >= fence.size() && bare[0] == fence[0]) {
      fence.clear();
    }
  }
  return !fence.empty();
}

}  // namespace

MarkdownFacts read_markdown(std::string_view text) {
  MarkdownFacts facts;
  const Document document = parse(text);
  walk(document.get(), [&](cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_HEADING:
        facts.headings.push_back({cmark_node_get_heading_level(node), text_below(node),
                                  cmark_node_get_start_line(node)});
        facts.words += words_in(facts.headings.back().text);
        break;
      case CMARK_NODE_PARAGRAPH: {
        const std::string words = text_below(node);
        facts.words += words_in(words);
        add_quoted(words, facts.quotes);
        break;
      }
      case CMARK_NODE_BLOCK_QUOTE:
        facts.quotes.push_back(text_below(node));
        break;
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE:
        facts.links.emplace_back(cmark_node_get_url(node) == nullptr ? ""
                                                                     : cmark_node_get_url(node));
        break;
      case CMARK_NODE_HTML_BLOCK:
      case CMARK_NODE_HTML_INLINE:
        facts.has_html = true;
        break;
      default:
        break;
    }
  });
  return facts;
}

std::vector<std::string> lint_markdown(std::string_view text, int level) {
  std::vector<std::string> problems;
  const MarkdownFacts facts = read_markdown(text);
  int before = level - 1;
  for (const MarkdownFacts::Heading& heading : facts.headings) {
    if (heading.level < level) {
      problems.push_back(fmt::format("line {}: the heading \"{}\" has level {}, {} is the highest",
                                     heading.line, heading.text, heading.level, level));
    } else if (heading.level > before + 1) {
      problems.push_back(fmt::format("line {}: the heading \"{}\" of level {} follows level {}",
                                     heading.line, heading.text, heading.level, before));
    }
    if (heading.text.empty()) {
      problems.push_back(fmt::format("line {}: the heading has no text", heading.line));
    }
    before = heading.level;
  }
  if (has_open_fence(text)) problems.emplace_back("a code fence is never closed");
  for (const std::string& link : facts.links) {
    if (link.empty()) problems.emplace_back("a link has no address");
  }
  if (facts.has_html) problems.emplace_back("there is HTML, which is left out");
  return problems;
}

std::string markdown_to_html(std::string_view text) {
  const Document document = parse(text);
  char* html = cmark_render_html(document.get(), CMARK_OPT_DEFAULT);  // without CMARK_OPT_UNSAFE
  std::string out = html == nullptr ? "" : html;
  cmark_get_default_mem_allocator()->free(html);
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace pedro
