#include "byte_set_text.h"

#include <fmt/format.h>

namespace pedro {
namespace {

// Returns true if a new range starts at `byte`, so that no range mixes printable and other bytes.
bool begins_new_run(std::size_t byte) {
  return byte == ' ' || byte == 0x7F || byte == 0x80;
}

std::string describe_byte(std::size_t byte) {
  switch (byte) {
    case '\n':
      return R"('\n')";
    case '\r':
      return R"('\r')";
    case '\t':
      return R"('\t')";
    case '\'':
      return R"('\'')";
    case '\\':
      return R"('\\')";
    default:
      break;
  }
  const bool printable = byte >= ' ' && byte < 0x7F;
  return printable ? fmt::format("'{}'", static_cast<char>(byte)) : fmt::format("0x{:02X}", byte);
}

std::string describe_run(std::size_t first, std::size_t last) {
  if (first == 0xC2 && last == 0xF4) return "any character beyond ASCII";
  if (first == 0x80 && last == 0xBF) return "the rest of a character";
  if (first == last) return describe_byte(first);
  return describe_byte(first) + (last == first + 1 ? ", " : "-") + describe_byte(last);
}

}  // namespace

std::vector<std::string> describe_bytes(const std::bitset<256>& bytes) {
  std::vector<std::string> pieces;
  for (std::size_t first = 0; first < bytes.size(); ++first) {
    if (!bytes[first]) continue;
    std::size_t last = first;
    while (last + 1 < bytes.size() && bytes[last + 1] && !begins_new_run(last + 1)) ++last;
    pieces.push_back(describe_run(first, last));
    first = last;
  }
  return pieces;
}

std::string join_within(std::span<const std::string> pieces, std::size_t max_bytes) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string next = (i == 0 ? "" : ", ") + pieces[i];
    if (i > 0 && text.size() + next.size() > max_bytes) {
      return text + fmt::format(" and {} more", pieces.size() - i);
    }
    text += next;
  }
  return text;
}

}  // namespace pedro
