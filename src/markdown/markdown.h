#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The contents of a CommonMark text (https://spec.commonmark.org/0.30/), as cmark reads it.
struct MarkdownFacts {
  struct Heading {
    int level = 1;
    std::string text;
    int line = 0;  ///< 1-based
  };
  std::vector<Heading> headings;
  std::vector<std::string> links;   ///< of links, images and http(s) addresses in text; each once
  std::vector<std::string> quotes;  ///< block quotes, and texts in quotation marks of at least four
                                    ///< words (eight characters in scripts without blanks)
  std::size_t words = 0;            ///< outside code; in scripts without blanks each character
                                    ///< counts
  std::size_t wide_words = 0;       ///< of these, single characters
  bool has_html = false;
};
MarkdownFacts read_markdown(std::string_view text);

/// Returns the problems of a text below a heading of `level - 1`, one sentence each. Problems are
/// headings that are too high or skip a level, unclosed code fences, links without an address, and
/// HTML.
std::vector<std::string> lint_markdown(std::string_view text, int level);

/// The kind of a line.
enum class LineOf { kHeading, kItem };

/// Returns the problems of a text for a heading or a list item, one sentence each. It must be one
/// line of inline text without HTML.
std::vector<std::string> lint_line(std::string_view text, LineOf place);

/// Renders a text as HTML. Omits raw HTML and dangerous addresses (javascript:, data: …), so no
/// text of a model can run code in a browser.
std::string markdown_to_html(std::string_view text);

/// Escapes a text for Markdown, and for an address between < and >. Line ends become blanks.
std::string escape_markdown(std::string_view text);

/// Escapes a text for HTML elements and attributes in double quotes.
std::string escape_html(std::string_view text);

}  // namespace pedro
