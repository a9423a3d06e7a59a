#include "tools/text_file.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kProbeBytes = 8000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

}  // namespace

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
