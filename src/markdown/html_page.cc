#include "markdown/html_page.h"

#include <fmt/format.h>

#include "markdown/markdown.h"

namespace pedro {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1a1a1a; --soft: #5c5c5c; --paper: #ffffff;
        --line: #d8d8d8; --card: #f5f5f3; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --soft: #a3a3a3; --paper: #161616; --line: #3a3a3a; --card: #212121; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       margin: 2rem auto; max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .3rem; } h2 { font-size: 1.1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } th:first-child, td:first-child { text-align: left; }
.wide { overflow-x: auto; }
@media print {
  :root { color-scheme: light; font-size: 12px; }
  body { margin: 0; max-width: none; font-size: 11px; }
  section, article, figure, tr { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)";

}  // namespace

std::string html_page(const HtmlPage& page) {
  const std::string description = page.description.empty()
                                      ? ""
                                      : fmt::format("<meta name=\"description\" content=\"{}\">\n",
                                                    escape_html(page.description));
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'{}\">\n"
      "{}<title>{}</title>\n<style>{}{}</style></head><body>\n{}</body></html>\n",
      escape_html(page.language), page.with_images ? "; img-src https: http:" : "", description,
      escape_html(page.title), kStyle, page.style, page.body);
}

}  // namespace pedro
