#include "tokenizer/quoted_token.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShownBytes = 40;

}  // namespace

std::string shown_token(std::string_view bytes) {
  std::string out = "\"";
  while (!bytes.empty()) {
    const std::size_t size = utf8_sequence_length(bytes);
    if (size == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(bytes[0]));
      bytes.remove_prefix(1);
    } else {
      const std::string inner = to_line(Json(bytes.substr(0, size)));
      out += std::string_view(inner).substr(1, inner.size() - 2);
      bytes.remove_prefix(size);
    }
  }
  return make_printable(out + "\"");
}

std::string quoted_token(std::string_view bytes) {
  const std::string_view shown =
      bytes.size() > kMaxShownBytes ? truncate_utf8(bytes, kMaxShownBytes) : bytes;
  std::string text = make_printable(shown);
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return fmt::format("'{}{}'", text, shown.size() < bytes.size() ? "..." : "");
}

}  // namespace pedro
