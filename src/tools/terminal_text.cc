#include "tools/terminal_text.h"

#include <utf8proc.h>

#include "base/utf8.h"

namespace pedro {
namespace {

int width_of(char32_t character) {
  return utf8proc_charwidth(static_cast<utf8proc_int32_t>(character));
}

}  // namespace

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) columns += width_of(take_code_point(text));
  return columns;
}

std::string fit_columns(std::string_view text, int columns) {
  const std::string line = one_line(text);
  if (columns_of(line) <= columns) return line;
  std::string_view rest = line;
  for (int used = 0; !rest.empty();) {
    std::string_view after = rest;
    used += width_of(take_code_point(after));
    if (used > columns - 1) break;  // the last column is for the mark
    rest = after;
  }
  return line.substr(0, line.size() - rest.size()) + "…";
}

}  // namespace pedro
