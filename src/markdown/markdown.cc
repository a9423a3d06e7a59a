#include "markdown/markdown.h"

#include <cmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kQuotedWords = 4;
constexpr std::size_t kQuotedCharacters = 8;
constexpr char32_t kFirstWide = 0x3000;  // scripts without blanks start here
constexpr char32_t kFirstHangul = 0xAC00;
constexpr char32_t kLastHangul = 0xD7A3;
constexpr std::string_view kAddressMarks[] = {"https://", "http://"};

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using Document = std::unique_ptr<cmark_node, FreeNode>;

struct FreeIter {
  void operator()(cmark_iter* iter) const { cmark_iter_free(iter); }
};

// Parses a text and merges adjacent text nodes.
Document parse(std::string_view text) {
  Document document(cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT));
  cmark_consolidate_text_nodes(document.get());
  return document;
}

std::string literal_of(cmark_node* node) {
  const char* text = cmark_node_get_literal(node);
  return text == nullptr ? "" : text;
}

// Visits every node once, on entry.
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

struct WordCount {
  std::size_t words = 0;  // separated by blanks and wide characters
  std::size_t wide = 0;   // kana, ideographs and their punctuation, but not Hangul
};

WordCount count_words(std::string_view text) {
  WordCount count;
  bool inside = false;
  while (!text.empty()) {
    const std::size_t bytes = utf8_sequence_length(text);
    const char32_t c = bytes == 0 ? 0 : decode_utf8(text.substr(0, bytes));
    const bool wide = c >= kFirstWide && (c < kFirstHangul || c > kLastHangul);
    const bool blank = wide || text[0] == ' ' || text[0] == '\n' || text[0] == '\t';
    count.wide += wide ? 1 : 0;
    count.words += !blank && !inside ? 1 : 0;
    inside = !blank;
    text.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return count;
}

// Returns true if a quoted text is longer than a name.
bool is_long_quote(std::string_view text) {
  const WordCount count = count_words(text);
  return count.words >= kQuotedWords || count.wide >= kQuotedCharacters;
}

// Adds the http(s) addresses in a text, without punctuation and brackets at their ends.
void add_addresses(std::string_view text, std::vector<std::string>& addresses) {
  for (std::size_t at = text.find("http"); at != text.npos; at = text.find("http", at)) {
    const std::string_view rest = text.substr(at);
    const bool begins = std::any_of(std::begin(kAddressMarks), std::end(kAddressMarks),
                                    [&](std::string_view mark) { return rest.starts_with(mark); });
    std::string_view address = rest.substr(0, begins ? rest.find_first_of(" \t\n\"<>|`") : 4);
    at += address.size();
    if (!begins) continue;
    while (std::string_view(".,;:!?)]}'*_").find(address.back()) != address.npos) {
      address.remove_suffix(1);
    }
    addresses.emplace_back(address);
  }
}

void add_between(std::string_view text, std::string_view open, std::string_view close,
                 std::vector<std::string>& quotes) {
  for (std::size_t at = text.find(open); at != text.npos;) {
    const std::size_t begin = at + open.size();
    const std::size_t end = text.find(close, begin);
    if (end == text.npos) break;
    const std::string_view inner = text.substr(begin, end - begin);
    if (is_long_quote(inner)) quotes.emplace_back(inner);
    at = text.find(open, end + close.size());
  }
}

// Replaces marks of inches by an apostrophe: a '"' after a digit that does not close a quotation.
std::string without_inches(std::string_view text) {
  std::string out;
  bool open = false;
  for (const char c : text) {
    const bool inches = c == '"' && !open && !out.empty() && is_digit(out.back());
    if (c == '"' && !inches) open = !open;
    out += inches ? '\'' : c;
  }
  return out;
}

// Adds quoted texts. Opening marks depend on the language: “ closes what „ opened, and » opens if
// it comes first.
void add_quoted(std::string_view text, std::vector<std::string>& quotes) {
  add_between(without_inches(text), "\"", "\"", quotes);
  const bool low = text.find("\u201E") != text.npos;
  if (low) {
    add_between(text, "\u201E", text.find("\u201C") != text.npos ? "\u201C" : "\u201D", quotes);
  } else {
    const bool high = text.find("\u201C") != text.npos;
    add_between(text, high ? "\u201C" : "\u201D", "\u201D", quotes);
  }
  const bool inward = text.find("\u00BB") < text.find("\u00AB");
  add_between(text, inward ? "\u00BB" : "\u00AB", inward ? "\u00AB" : "\u00BB", quotes);
  add_between(text, "\u2039", "\u203A", quotes);
  add_between(text, "\u2018", "\u2019", quotes);
  add_between(text, "\u300C", "\u300D", quotes);
  add_between(text, "\u300E", "\u300F", quotes);
}

// Returns the fence at the start of a line: three or more equal marks; "" if there is none.
std::string_view fence_in(std::string_view line) {
  if (!line.starts_with("```") && !line.starts_with("~~~")) return {};
  return line.substr(0, std::min(line.find_first_not_of(line[0]), line.size()));
}

// Returns true if a fenced code block has no closing fence. In an indented block such a line may be
// code.
bool is_open(cmark_node* code, const std::vector<std::string_view>& lines) {
  const auto first = static_cast<std::size_t>(cmark_node_get_start_line(code));
  const auto last = static_cast<std::size_t>(cmark_node_get_end_line(code));
  const auto column = static_cast<std::size_t>(cmark_node_get_start_column(code));
  if (first == 0 || first > lines.size() || column == 0) return false;
  const std::string_view line = lines[first - 1];
  const std::string_view begin = trim(line.substr(std::min(column - 1, line.size())));
  const std::string_view fence = fence_in(begin);
  const std::string text = literal_of(code);
  const auto code_lines = split_lines(text);
  if (fence.empty() || (!code_lines.empty() && trim(code_lines[0]) == begin)) return false;
  if (last <= first || last > lines.size()) return true;
  std::string_view end = lines[last - 1];
  end.remove_prefix(std::min(end.find_first_not_of("> \t"), end.size()));
  end = trim(end);
  return fence_in(end) != end || end.size() < fence.size() || end[0] != fence[0];
}

bool has_open_fence(std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(text);
  bool open = false;
  const Document document = parse(text);
  walk(document.get(), [&](cmark_node* node) {
    if (cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK) open = open || is_open(node, lines);
  });
  return open;
}

}  // namespace

MarkdownFacts read_markdown(std::string_view text) {
  MarkdownFacts facts;
  const auto count = [&](std::string_view text_of_block) {
    const WordCount words = count_words(text_of_block);
    facts.words += words.words + words.wide;
    facts.wide_words += words.wide;
  };
  const Document document = parse(text);
  walk(document.get(), [&](cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_HEADING:
        facts.headings.push_back({cmark_node_get_heading_level(node), text_below(node),
                                  cmark_node_get_start_line(node)});
        count(facts.headings.back().text);
        add_quoted(facts.headings.back().text, facts.quotes);
        break;
      case CMARK_NODE_PARAGRAPH: {
        const std::string words = text_below(node);
        count(words);
        add_quoted(words, facts.quotes);
        break;
      }
      case CMARK_NODE_BLOCK_QUOTE:
        facts.quotes.push_back(text_below(node));
        break;
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE:
        add_once(facts.links, cmark_node_get_url(node) == nullptr ? "" : cmark_node_get_url(node));
        break;
      case CMARK_NODE_TEXT: {
        std::vector<std::string> addresses;
        add_addresses(literal_of(node), addresses);
        for (const std::string& address : addresses) add_once(facts.links, address);
        break;
      }
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
  if (has_open_fence(text)) problems.emplace_back("a code fence is not closed");
  for (const std::string& link : facts.links) {
    if (link.empty()) problems.emplace_back("a link has no address");
  }
  if (facts.has_html) problems.emplace_back("it contains HTML, which is omitted");
  return problems;
}

std::vector<std::string> lint_line(std::string_view text, LineOf place) {
  if (trim(text).empty()) return {"there is no text"};
  if (text.find_first_of("\r\n") != text.npos) return {"it has more than one line"};
  const std::string line = (place == LineOf::kHeading ? "## " : "- ") + std::string(trim(text));
  const Document document = parse(line);
  cmark_node* block = cmark_node_first_child(document.get());
  for (const auto step : {CMARK_NODE_LIST, CMARK_NODE_ITEM}) {
    if (place != LineOf::kItem || block == nullptr) break;
    block = cmark_node_get_type(block) == step ? cmark_node_first_child(block) : nullptr;
  }
  const auto wanted = place == LineOf::kHeading ? CMARK_NODE_HEADING : CMARK_NODE_PARAGRAPH;
  if (block == nullptr || cmark_node_get_type(block) != wanted) {
    return {"it is Markdown syntax, not a line of words"};
  }
  if (read_markdown(line).has_html) return {"it contains HTML, which is omitted"};
  return {};
}

std::string markdown_to_html(std::string_view text) {
  const Document document = parse(text);
  char* html = cmark_render_html(document.get(), CMARK_OPT_DEFAULT);  // without CMARK_OPT_UNSAFE
  std::string out = html == nullptr ? "" : html;
  cmark_get_default_mem_allocator()->free(html);
  return out;
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>&#!|~").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
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
