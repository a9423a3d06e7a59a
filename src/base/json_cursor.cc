#include "base/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kDigits = "0123456789";

std::string_view name_of(JsonCursor::Kind kind) {
  constexpr std::string_view kNames[] = {"no value", "an object",     "an array", "a string",
                                         "a number", "a truth value", "null"};
  return kNames[static_cast<int>(kind)];
}

// Parses the escape `\u` with four hex digits at the start of `text`.
std::optional<char32_t> code_unit(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return {};
  unsigned unit = 0;
  const char* const end = text.data() + 6;
  if (std::from_chars(text.data() + 2, end, unit, 16).ptr != end) return {};
  return unit;
}

bool is_high(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

struct Escape {
  std::size_t length = 0;  // 0: invalid escape
  char32_t code_point = 0;
};

Escape unicode_escape(std::string_view text) {
  const auto unit = code_unit(text);
  if (!unit || is_low(*unit)) return {};
  if (!is_high(*unit)) return {6, *unit};
  const auto low = code_unit(text.substr(6));
  if (!low || !is_low(*low)) return {};
  return {12, 0x10000 + (*unit - 0xD800) * 0x400 + (*low - 0xDC00)};
}

// `text` begins with a backslash.
Escape escape_of(std::string_view text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (text.size() < 2) return {};
  const std::size_t letter = kLetters.find(text[1]);
  if (letter == std::string_view::npos) return unicode_escape(text);
  return {2, static_cast<unsigned char>(kMeanings[letter])};
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text, const JsonCursorLimits& limits)
    : text_(text), limits_(limits) {
  if (text_.starts_with(kBom)) at_ = kBom.size();
}

void JsonCursor::fail_at(std::size_t at, std::string message) {
  if (error_) return;
  const std::string_view before = text_.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0: the first line
  error_ = Error{ErrorKind::kConfig,
                 fmt::format("{}:{}: {}", line, before.size() - line_start + 1, message)};
}

void JsonCursor::fail(std::string message) {
  fail_at(last_, std::move(message));
}

void JsonCursor::fail_expecting(std::string_view what) {
  const Kind found = kind();
  if (at_ == text_.size()) return fail_here(fmt::format("expected {}", what));
  fail_at(at_, fmt::format("expected {}, got {}", what, name_of(found)));
}

// Mentions the end of the text if the position is there.
void JsonCursor::fail_here(std::string expected) {
  if (at_ == text_.size()) expected += ", got the end of the text";
  fail_at(at_, std::move(expected));
}

void JsonCursor::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
}

JsonCursor::Kind JsonCursor::kind() {
  if (failed()) return Kind::kNothing;
  skip_blanks();
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  switch (c) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kText;
    case 't':
    case 'f':
      return Kind::kTruth;
    case 'n':
      return Kind::kNull;
    default:
      return c == '-' || kDigits.find(c) != std::string_view::npos ? Kind::kNumber : Kind::kNothing;
  }
}

bool JsonCursor::enter(char bracket, std::string_view what) {
  if (kind() != (bracket == '{' ? Kind::kObject : Kind::kArray)) {
    fail_expecting(what);
    return false;
  }
  last_ = at_;
  if (open_.size() >= limits_.max_depth) {
    fail(fmt::format("JSON nested more than {} deep", limits_.max_depth));
    return false;
  }
  ++at_;
  open_ += bracket;
  first_ = true;
  return true;
}

bool JsonCursor::enter_object() {
  return enter('{', "an object");
}

bool JsonCursor::enter_array() {
  return enter('[', "an array");
}

// Advances to the next name or element. At the closing bracket, consumes it and returns false.
bool JsonCursor::next_part() {
  if (failed()) return false;
  const char close = open_.back() == '{' ? '}' : ']';
  skip_blanks();
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  if (c == close) {
    ++at_;
    open_.pop_back();
    first_ = false;
    return false;
  }
  if (!first_) {
    if (c != ',') {
      fail_here(fmt::format("expected ',' or '{}'", close));
      return false;
    }
    ++at_;
    skip_blanks();
  }
  first_ = false;
  return true;
}

std::optional<std::string_view> JsonCursor::next_member() {
  if (!next_part()) return {};
  if (kind() != Kind::kText) {
    fail_here("expected a name in quotes");
    return {};
  }
  const auto name = text();
  const std::size_t place = last_;
  if (!name || !skip_colon()) return {};
  last_ = place;
  return name;
}

bool JsonCursor::next_element() {
  return next_part();
}

// Skips the string at the position, which begins with its quote.
bool JsonCursor::skip_string() {
  last_ = at_;
  bool is_ascii = true;
  for (++at_; at_ < text_.size() && text_[at_] != '"';) {
    const char c = text_[at_];
    if (is_control(c)) {
      fail_at(at_, "a control character in a string");
      return false;
    }
    if (c == '\\') {
      const Escape escape = escape_of(text_.substr(at_, 12));
      if (escape.length == 0) {
        fail_at(at_, "invalid escape");
        return false;
      }
      at_ += escape.length;
    } else {
      is_ascii &= static_cast<unsigned char>(c) < 0x80;
      ++at_;
    }
  }
  if (at_ >= text_.size()) {
    fail("an unterminated string");
    return false;
  }
  ++at_;
  if (!is_ascii && !is_valid_utf8(text_.substr(last_, at_ - last_))) {
    fail("a string that is not UTF-8");
    return false;
  }
  return true;
}

std::optional<std::string_view> JsonCursor::unescaped(std::size_t from, std::size_t end) {
  buffer_.clear();
  while (from < end) {
    const std::size_t backslash = std::min(text_.find('\\', from), end);
    buffer_.append(text_, from, backslash - from);
    from = backslash;
    if (from == end) break;
    const Escape escape = escape_of(text_.substr(from, end - from));
    append_utf8(buffer_, escape.code_point);
    from += escape.length;
  }
  return buffer_;
}

std::optional<std::string_view> JsonCursor::text() {
  if (kind() != Kind::kText) {
    fail_expecting("a string");
    return {};
  }
  if (!skip_string()) return {};
  const std::size_t from = last_ + 1;
  const std::size_t end = at_ - 1;
  if (end - from > limits_.max_text_bytes) {
    fail(fmt::format("a string of {} bytes, more than the limit of {}", end - from,
                     limits_.max_text_bytes));
    return {};
  }
  const std::string_view raw = text_.substr(from, end - from);
  return raw.find('\\') == std::string_view::npos ? raw : unescaped(from, end);
}

bool JsonCursor::skip_number() {
  last_ = at_;
  const auto skip_digits = [this] {
    const std::size_t from = at_;
    at_ = std::min(text_.find_first_not_of(kDigits, at_), text_.size());
    return at_ > from;
  };
  const auto skip_any_of = [this](std::string_view some) {
    const bool is_there = at_ < text_.size() && some.find(text_[at_]) != std::string_view::npos;
    if (is_there) ++at_;
    return is_there;
  };
  skip_any_of("-");
  bool good = skip_any_of("0") || skip_digits();
  if (skip_any_of(".")) good &= skip_digits();
  if (skip_any_of("eE")) {
    skip_any_of("+-");
    good &= skip_digits();
  }
  if (!good) fail("invalid number");
  return good;
}

std::optional<std::int64_t> JsonCursor::integer() {
  if (kind() != Kind::kNumber) {
    fail_expecting("a whole number");
    return {};
  }
  if (!skip_number()) return {};
  std::int64_t value = 0;
  const char* const end = text_.data() + at_;
  const auto read = std::from_chars(text_.data() + last_, end, value);
  if (read.ec != std::errc() || read.ptr != end) {
    fail("expected a whole number of at most 63 bits");
    return {};
  }
  return value;
}

bool JsonCursor::skip_word(std::string_view word) {
  last_ = at_;
  if (!text_.substr(at_).starts_with(word)) {
    fail(fmt::format("expected '{}'", word));
    return false;
  }
  at_ += word.size();
  return true;
}

std::optional<bool> JsonCursor::truth() {
  if (kind() != Kind::kTruth) {
    fail_expecting("true or false");
    return {};
  }
  const bool value = text_[at_] == 't';
  if (!skip_word(value ? "true" : "false")) return {};
  return value;
}

bool JsonCursor::skip_scalar() {
  switch (kind()) {
    case Kind::kText:
      return skip_string();
    case Kind::kNumber:
      return skip_number();
    case Kind::kTruth:
      return truth().has_value();
    case Kind::kNull:
      return skip_word("null");
    default:
      fail_expecting("a value");
      return false;
  }
}

std::optional<JsonCursor::Skipped> JsonCursor::skip() {
  skip_blanks();
  const std::size_t from = at_;
  const std::size_t depth = open_.size();
  std::size_t parts = 0;
  for (bool at_value = true; !failed();) {
    if (at_value) {
      const Kind next = kind();
      const bool is_container = next == Kind::kObject || next == Kind::kArray;
      if (is_container ? !enter(next == Kind::kObject ? '{' : '[', "") : !skip_scalar()) break;
    }
    if (open_.size() == depth) break;
    const bool directly_inside = open_.size() == depth + 1;
    at_value = open_.back() == '{' ? skip_name() : next_element();
    if (at_value && directly_inside) ++parts;
  }
  if (failed()) return {};
  last_ = from;
  return Skipped{text_.substr(from, at_ - from), parts};
}

// Skips a name, which may have any length.
bool JsonCursor::skip_name() {
  if (!next_part()) return false;
  if (kind() != Kind::kText) {
    fail_here("expected a name in quotes");
    return false;
  }
  return skip_string() && skip_colon();
}

bool JsonCursor::skip_colon() {
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == ':') {
    ++at_;
    return true;
  }
  fail_here("expected ':'");
  return false;
}

Status JsonCursor::finish() {
  skip_blanks();
  if (at_ < text_.size()) fail_at(at_, "unexpected text after the end");
  if (failed()) return error();
  return {};
}

}  // namespace pedro
