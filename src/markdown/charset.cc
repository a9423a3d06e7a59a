#include "markdown/charset.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMetaBytes = 1024;

constexpr std::array<std::string_view, 8> kLatinSets = {
    "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "windows-1252", "cp1252", "us-ascii"};

// The characters at 0x80 to 0x9F; all other bytes are as in Unicode.
constexpr std::array<char16_t, 32> kHigh = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

std::string from_windows_1252(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(text, byte >= 0x80 && byte < 0xA0 ? kHigh[byte - 0x80u] : byte);
  }
  return text;
}

}  // namespace

std::string charset_of_page(std::string_view html) {
  const std::string head = to_lower(html.substr(0, kMetaBytes));
  for (std::size_t at = head.find("<meta"); at != head.npos; at = head.find("<meta", at + 1)) {
    const std::string_view tag = std::string_view(head).substr(at, head.find('>', at) - at);
    const std::size_t name = tag.find("charset=");
    if (name == tag.npos) continue;
    std::string_view value = trim(tag.substr(name + std::string_view("charset=").size()));
    if (value.starts_with('"') || value.starts_with('\'')) value.remove_prefix(1);
    return std::string(value.substr(0, value.find_first_of("\"'; />")));
  }
  return "";
}

std::optional<std::string> decode_text(std::string_view bytes, std::string_view charset) {
  if (bytes.find('\0') != bytes.npos) return {};
  if (charset.empty() || charset == "utf-8" || charset == "utf8") {
    return is_valid_utf8(bytes) ? std::optional<std::string>(bytes) : std::nullopt;
  }
  if (std::find(kLatinSets.begin(), kLatinSets.end(), charset) == kLatinSets.end()) return {};
  return from_windows_1252(bytes);
}

}  // namespace pedro
