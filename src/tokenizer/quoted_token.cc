#include "tokenizer/quoted_token.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShownBytes = 40;

}  // namespace

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
