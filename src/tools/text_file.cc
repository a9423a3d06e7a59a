#include "tools/text_file.h"

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

constexpr std::size_t kProbeBytes = 8000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
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

Result<std::string> read_text(const WorkTree& tree, const TreePath& file, std::uint64_t max_bytes) {
  if (file.info.bytes > max_bytes) {
    return refusal(
        fmt::format("{} has {} bytes, more than the limit of {}; search find_in_file works",
                    file.shown, file.info.bytes, max_bytes));
  }
  auto bytes = tree.files().read(file.absolute, max_bytes);
  if (!bytes) return refusal("cannot read " + bytes.error().message);
  if (is_utf16(*bytes)) {
    return refusal(fmt::format(
        "{} is in UTF-16, and tools read and write UTF-8; a command such as iconv can convert it",
        file.shown));
  }
  if (std::string_view(*bytes).substr(0, kProbeBytes).find('\0') != std::string_view::npos) {
    return refusal(
        fmt::format("{} is a binary file ({} bytes), not text", file.shown, bytes->size()));
  }
  bytes->erase(0, bytes->size() - without_byte_order_mark(*bytes).size());
  return bytes;
}

Status write_text(const WorkTree& tree, const TreePath& file, std::string_view text) {
  const auto begin = tree.files().read_begin(file.absolute, kByteOrderMark.size());
  std::string bytes;
  if (begin && *begin == kByteOrderMark) bytes = kByteOrderMark;
  bytes += bytes.empty() ? text : without_byte_order_mark(text);
  const Status written = tree.files().write_atomic(file.absolute, bytes, 0644);
  return written ? written : Status(refusal("cannot write " + written.error().message));
}

}  // namespace pedro
