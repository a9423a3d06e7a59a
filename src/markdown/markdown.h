#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// What stands in a text of CommonMark (https://spec.commonmark.org/0.30/), as cmark reads it.
struct MarkdownFacts {
  struct Heading {
    int level = 1;
    std::string text;
    int line = 0;  ///< from 1
  };
  std::vector<Heading> headings;
  std::vector<std::string> links;   ///< addresses of links and images, and http(s) ones that
                                    ///< stand in words; each once
  std::vector<std::string> quotes;  ///< block quotes, and texts of four words or more (of a script
                                    ///< without blanks eight characters) in quotation marks
  std::size_t words = 0;            ///< outside of code; of a script without blanks each character
  std::size_t wide_words = 0;       ///< those of them that are characters
  bool has_html = false;
};
MarkdownFacts read_markdown(std::string_view text);

/// What is wrong with a text that is to stand below headings of `level - 1`: a heading that is
/// higher or skips a level, a code fence that is never closed, a link without an address, HTML. A
/// sentence each; none where nothing is.
std::vector<std::string> lint_markdown(std::string_view text, int level);

/// What a line stands in.
enum class LineOf { kHeading, kItem };

/// What is wrong with a text that is to be a heading or an item of a list: it has to be one line,
/// and nothing there but words. A sentence each.
std::vector<std::string> lint_line(std::string_view text, LineOf place);

/// HTML of a text. Raw HTML in it and addresses of dangerous kinds (javascript:, data: …) are left
/// out: nothing that a model wrote can run in a browser.
std::string markdown_to_html(std::string_view text);

/// A text that stands for itself in Markdown, and in an address between < and >.
std::string escape_markdown(std::string_view text);

/// A text as HTML has it in elements and attributes.
std::string escape_html(std::string_view text);

}  // namespace pedro
