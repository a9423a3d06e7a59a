#include "base/utf8.h"

#include <algorithm>
#include <cassert>

namespace pedro {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

}  // namespace

// The ranges are from table 3-7 of the Unicode standard.
std::size_t utf8_sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned char lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  if (byte_at(text, 1) < low || byte_at(text, 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_continuation(byte_at(text, i))) return 0;
  }
  return length;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

namespace {

// Returns true for C1 controls (U+0080 to U+009F). Also for bidirectional overrides and isolates
// (U+202A to U+202E, U+2066 to U+2069).
bool steers_terminal(std::string_view sequence) {
  if (sequence.size() == 2) return byte_at(sequence, 0) == 0xC2 && byte_at(sequence, 1) < 0xA0;
  if (sequence.size() != 3 || byte_at(sequence, 0) != 0xE2) return false;
  const unsigned char second = byte_at(sequence, 1);
  const unsigned char third = byte_at(sequence, 2);
  return (second == 0x80 && third >= 0xAA && third <= 0xAE) ||
         (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

}  // namespace

std::string make_printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const unsigned char byte = byte_at(text, 0);
    const bool control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    if (length == 0 || control || byte == 0x7F) {
      out += kReplacement;
      text.remove_prefix(1);
    } else if (steers_terminal(text.substr(0, length))) {
      out += kReplacement;
      text.remove_prefix(length);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string_view truncate_utf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && is_continuation(byte_at(text, end))) --end;
  return text.substr(0, end);
}

std::string_view tail_utf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t begin = text.size() - max_bytes;
  while (begin < text.size() && is_continuation(byte_at(text, begin))) ++begin;
  return text.substr(begin);
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return !is_continuation(static_cast<unsigned char>(c));
  }));
}

char32_t decode_utf8(std::string_view sequence) {
  assert(!sequence.empty() && utf8_sequence_length(sequence) == sequence.size());
  constexpr unsigned char kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t out = byte_at(sequence, 0) & kLeadBits[sequence.size()];
  for (std::size_t i = 1; i < sequence.size(); ++i)
    out = (out << 6) | (byte_at(sequence, i) & 0x3F);
  return out;
}

char32_t take_code_point(std::string_view& text) {
  const std::size_t length = utf8_sequence_length(text);
  const char32_t point = length == 0 ? byte_at(text, 0) : decode_utf8(text.substr(0, length));
  text.remove_prefix(std::max<std::size_t>(length, 1));
  return point;
}

void append_utf8(std::string& out, char32_t code_point) {
  assert(code_point <= kLastCodePoint && (code_point < 0xD800 || code_point > 0xDFFF));
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

std::string one_line(std::string_view text) {
  std::string line = make_printable(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

std::string with_valid_characters(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = utf8_sequence_length(text);
    if (length > 0) {
      out += text.substr(0, length);
    } else {
      const auto lead = static_cast<unsigned char>(text.front());
      const std::size_t most = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
      length = 1;
      while (length < std::min(most, text.size()) && (text[length] & 0xC0) == 0x80) ++length;
      out += kReplacement;
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace pedro
