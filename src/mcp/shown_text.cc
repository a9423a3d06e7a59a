#include "mcp/shown_text.h"

#include "base/text.h"
#include "base/utf8.h"

namespace pedro::mcp {

std::string one_line(std::string_view text, std::size_t max_bytes) {
  std::string line;
  for (const std::string_view part : split_lines(text)) {
    const std::string_view words = trim(part);
    if (words.empty()) continue;
    line += (line.empty() ? "" : " ") + std::string(words);
  }
  std::string cut(truncate_utf8(line, max_bytes));
  if (cut.size() < line.size()) cut += "…";
  return replace_all(replace_all(make_printable(cut), "\r", " "), "\t", " ");
}

}  // namespace pedro::mcp
