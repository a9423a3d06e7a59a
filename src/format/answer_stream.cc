#include "format/answer_stream.h"

#include <charconv>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_blank_of_json(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Returns the character of an escape of two bytes; the byte itself if JSON has no such escape.
char escaped_char(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

std::string AnswerStream::feed(std::string_view part) {
  std::string text;
  for (const char c : part) {
    if (place_ == Place::kAfter) break;
    if (place_ == Place::kText) {
      read(c, text);
    } else {
      find(c);
    }
  }
  return text;
}

void AnswerStream::find(char c) {
  if (place_ != Place::kName && is_blank_of_json(c)) return;
  if (place_ == Place::kColon && c == ':') {
    place_ = Place::kQuote;
  } else if (place_ == Place::kQuote && c == '"') {
    place_ = Place::kText;
  } else {
    const bool goes_on = place_ == Place::kName && c == pattern_[matched_];
    matched_ = goes_on ? matched_ + 1 : c == '"' ? 1 : 0;
    place_ = matched_ == pattern_.size() ? Place::kColon : Place::kName;
    if (place_ == Place::kColon) matched_ = 0;
  }
}

void AnswerStream::read(char c, std::string& text) {
  constexpr std::size_t kUnicodeBytes = 6;  // "\u0041"
  if (escape_.empty() && c == '"') {
    place_ = Place::kAfter;
    return;
  }
  if (escape_.empty() && c != '\\') {
    if (high_ != 0) append_utf8(text, kReplacement);
    high_ = 0;
    text += c;
    return;
  }
  escape_ += c;
  const bool is_unicode = escape_.size() > 1 && escape_[1] == 'u';
  if (escape_.size() == (is_unicode ? kUnicodeBytes : 2)) end_escape(text);
}

void AnswerStream::end_escape(std::string& text) {
  char32_t unit = 0;
  if (escape_[1] == 'u') {
    unsigned value = 0;
    const char* end = escape_.data() + escape_.size();
    const auto [at, error] = std::from_chars(escape_.data() + 2, end, value, 16);
    unit = error == std::errc() && at == end ? static_cast<char32_t>(value) : kReplacement;
  }
  const char32_t high = high_;
  high_ = 0;
  if (high != 0 && is_low_surrogate(unit)) {
    append_utf8(text, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
  } else {
    if (high != 0) append_utf8(text, kReplacement);
    if (is_high_surrogate(unit)) {
      high_ = unit;
    } else if (escape_[1] == 'u') {
      append_utf8(text, is_low_surrogate(unit) ? kReplacement : unit);
    } else {
      text += escaped_char(escape_[1]);
    }
  }
  escape_.clear();
}

}  // namespace pedro
