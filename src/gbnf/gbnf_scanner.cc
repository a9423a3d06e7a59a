#include "gbnf/gbnf_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "gbnf/source_excerpt.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFoundBytes = 32;

bool is_name_byte(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t name_length(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_name_byte);
  return static_cast<std::size_t>(end - text.begin());
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void GbnfScanner::skip_blanks(Newlines newlines) {
  while (!at_end()) {
    if (peek() == '#') {
      offset_ = std::min(text_.find_first_of("\r\n", offset_), text_.size());
    } else if (peek() == ' ' || peek() == '\t' ||
               (newlines == Newlines::kAreBlanks && at_newline())) {
      ++offset_;
    } else {
      return;
    }
  }
}

bool GbnfScanner::take(std::string_view expected) {
  if (!text_.substr(offset_).starts_with(expected)) return false;
  offset_ += expected.size();
  return true;
}

std::string_view GbnfScanner::take_name() {
  const std::string_view rest = text_.substr(offset_);
  const std::string_view name = rest.substr(0, name_length(rest));
  offset_ += name.size();
  return name;
}

std::uint64_t GbnfScanner::take_number() {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = 0;
  for (; at_digit(); ++offset_) {
    const auto digit = static_cast<std::uint64_t>(peek() - '0');
    number = number > (kMost - digit) / 10 ? kMost : number * 10 + digit;
  }
  return number;
}

Result<std::string_view> GbnfScanner::take_until(char end) {
  const std::string_view rest = text_.substr(offset_);
  const std::size_t length = rest.find_first_of(std::string{end, '\r', '\n'});
  if (length == std::string_view::npos || rest[length] != end) {
    offset_ += std::min(length, rest.size());
    return expected(fmt::format("'{}'", end));
  }
  offset_ += length + 1;
  return rest.substr(0, length);
}

Result<char32_t> GbnfScanner::take_character() {
  if (peek() == '\\') return take_escape();
  const std::string_view rest = text_.substr(offset_);
  const std::string_view sequence = rest.substr(0, utf8_sequence_length(rest));
  offset_ += sequence.size();
  return decode_utf8(sequence);
}

Result<char32_t> GbnfScanner::take_escape() {
  constexpr std::string_view kThemselves = "\\\"[]-";
  const std::size_t begin = offset_++;
  const char kind = peek();
  ++offset_;
  if (kind == 't') return U'\t';
  if (kind == 'r') return U'\r';
  if (kind == 'n') return U'\n';
  if (kind == 'x') return take_hex(2);
  if (kind == 'u') return take_hex(4);
  if (kind == 'U') return take_hex(8);
  if (kind != '\0' && kThemselves.find(kind) != std::string_view::npos) {
    return static_cast<char32_t>(kind);
  }
  offset_ = begin + 1;
  const Error error = expected(R"(one of x u U t r n \ " [ ] - after '\')");
  offset_ = begin;
  return error;
}

Result<char32_t> GbnfScanner::take_hex(int digits) {
  const std::size_t begin = offset_;
  char32_t value = 0;
  for (int i = 0; i < digits; ++i, ++offset_) {
    const int digit = hex_value(peek());
    if (digit < 0) return expected(fmt::format("{} hexadecimal digits", digits));
    value = (value << 4) | static_cast<char32_t>(digit);
  }
  if (value > kLastCodePoint) return error(begin, "expected a code point up to 0010FFFF");
  return value;
}

std::string GbnfScanner::found() const {
  const std::string_view rest = text_.substr(offset_);
  if (rest.empty()) return "the end of the grammar";
  if (at_newline()) return "the end of the line";
  if (rest.front() == '\t') return "a tab";
  if (static_cast<unsigned char>(rest.front()) < 0x20) {
    return fmt::format("U+{:04X}", static_cast<unsigned>(rest.front()));
  }
  const std::size_t length = std::max<std::size_t>(1, name_length(rest));
  const std::string_view word = truncate_utf8(rest.substr(0, length), kMaxFoundBytes);
  return fmt::format("'{}{}'", make_printable(word), word.size() < length ? "..." : "");
}

Error GbnfScanner::expected(std::string_view what) const {
  return error(offset_, fmt::format("expected {}, found {}", what, found()));
}

Error GbnfScanner::error(std::size_t offset, std::string_view message) const {
  return Error{ErrorKind::kConfig, located(name_, text_, offset, message)};
}

}  // namespace pedro
