#include "markdown/html_page.h"

#include <fmt/format.h>

#include "base/embedded_file.h"
#include "markdown/markdown.h"

namespace pedro {

extern const EmbeddedFile kPageStyle[];

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
      "{}<title>{}</title>\n<style>\n{}{}</style></head><body>\n{}</body></html>\n",
      escape_html(page.language), page.with_images ? "; img-src https: http:" : "", description,
      escape_html(page.title), kPageStyle[0].bytes, page.style, page.body);
}

}  // namespace pedro
