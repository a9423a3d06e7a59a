#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// What stands in a page.
struct HtmlPage {
  std::string title;       ///< a text
  std::string_view style;  ///< rules of its own, behind those that all pages have
  std::string body;        ///< HTML
  std::string language = "en";
  std::string description = {};  ///< a text; for lists and search engines
  bool with_images = false;      ///< those of its body are fetched where they are
};

/// A page in one file for a browser, a phone and paper: nothing in it comes from elsewhere but
/// images, where they are wanted, and a Content-Security-Policy holds it to that; no script runs.
/// Colours are variables: `--ink`,
/// `--soft`, `--paper`, `--line`, `--card`, with others in the dark and, on paper, those of the
/// light. `.wide` is scrolled by itself where it is too wide.
std::string html_page(const HtmlPage& page);

}  // namespace pedro
