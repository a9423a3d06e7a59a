#include "base/wrap_text.h"

#include "base/text.h"

namespace pedro {

std::string wrap_text(std::string_view paragraph, std::size_t columns, std::size_t indent) {
  std::string out;
  std::size_t used = 0;  // of the last line
  for (const std::string_view word : split(paragraph, ' ')) {
    if (word.empty()) continue;
    if (used > 0 && used + 1 + word.size() > columns) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
  }
  return out;
}

}  // namespace pedro
