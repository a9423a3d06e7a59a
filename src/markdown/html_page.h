#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// The contents of a page.
struct HtmlPage {
  std::string title;       ///< plain text
  std::string_view style;  ///< CSS rules of this page, after those of all pages
  std::string body;        ///< HTML
  std::string language = "en";
  std::string description = {};  ///< plain text; for lists and search engines
  bool with_images = false;      ///< lets the browser fetch the images of the body
};

/// Returns a page in one file for a browser, a phone and paper. Only images may be external, if
/// allowed; a Content-Security-Policy enforces that. No script runs. Colours are variables:
/// `--ink`, `--soft`, `--paper`, `--line`, `--card`. A dark scheme has other values; paper uses the
/// light ones. `.wide` scrolls on its own if it is too wide.
std::string html_page(const HtmlPage& page);

}  // namespace pedro
