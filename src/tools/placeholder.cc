#include "tools/placeholder.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Returns the first note about omitted text: "[... 9 lines not shown ...]", "[... 9 more bytes in
// this line]", "[... 9 bytes left out]".
std::string_view cut_note_in(std::string_view text) {
  constexpr std::string_view kBegin = "[... ";
  for (std::size_t at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) {
    const std::string_view note = text.substr(at, text.find_first_of("]\n", at) - at);
    const bool counts = note.size() > kBegin.size() && is_digit(note[kBegin.size()]);
    const bool cuts = note.ends_with(" ...") || note.ends_with(" more bytes in this line") ||
                      note.ends_with(" bytes left out");
    if (counts && cuts) return note;
  }
  return "";
}

Status refused(std::string_view shown, std::string_view place) {
  return refusal(
      fmt::format("a tool shows {} in place of {}; do not write it: edit the lines around it, or "
                  "replace a part of the line",
                  shown, place));
}

}  // namespace

Status without_placeholders(std::string_view content, std::string_view replaced) {
  const bool is_own = has(replaced, kReplacement) && unprintable_note(replaced).empty();
  if (has(content, kReplacement) && !is_own)
    return refused("U+FFFD", "characters that cannot be printed");
  const std::string_view note = cut_note_in(content);
  if (note.empty() || has(replaced, note)) return {};
  return refused(fmt::format("\"{}]\"", note), "the rest of a text");
}

std::string_view unprintable_note(std::string_view text) {
  if (!is_valid_utf8(text)) return "; not UTF-8: other bytes are shown as U+FFFD";
  return make_printable(text) == text ? "" : "; control characters are shown as U+FFFD";
}

}  // namespace pedro
