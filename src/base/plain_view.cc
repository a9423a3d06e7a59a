#include "base/plain_view.h"

#include <algorithm>

namespace pedro {
namespace {

constexpr std::string_view kReplaced = "\xEF\xBF\xBD";  // U+FFFD, which stands for a control
constexpr std::size_t kMaxSequenceBytes = 256;

// How many bytes of the text stand for one character, or for none.
struct Unit {
  std::size_t bytes = 0;  // 0: no such thing here
  std::optional<char> is;
};

std::optional<unsigned> hex_digits(std::string_view text, std::size_t count) {
  if (text.size() < count) return {};
  unsigned value = 0;
  for (const char c : text.substr(0, count)) {
    const bool digit = c >= '0' && c <= '9';
    const char low = static_cast<char>(c | 0x20);
    if (!digit && (low < 'a' || low > 'f')) return {};
    value = value * 16 + static_cast<unsigned>(digit ? c - '0' : low - 'a' + 10);
  }
  return value;
}

// Only what can be read: a secret has nothing else.
Unit escaped(std::string_view digits, std::size_t count, std::size_t in_front) {
  const std::optional<unsigned> value = hex_digits(digits, count);
  if (!value || *value < ' ' || *value > '~') return {};
  return {in_front + count, static_cast<char>(*value)};
}

Unit backslash_unit(std::string_view text) {
  if (text.size() < 2) return {};
  switch (text[1]) {
    case '/':
    case '"':
    case '\'':
    case '\\':
      return {2, text[1]};
    case 'n':
      return {2, '\n'};
    case 'r':
      return {2, '\r'};
    case 't':
      return {2, '\t'};
    case 'u':
      return escaped(text.substr(2), 4, 2);
    case 'x':
      return escaped(text.substr(2), 2, 2);
    case '\n':
      return {2, {}};
    case '\r':
      return text.substr(2).starts_with('\n') ? Unit{3, {}} : Unit{};
    default:
      return {};
  }
}

// ECMA-48: CSI is parameters up to a letter, OSC goes up to BEL or ST.
Unit terminal_unit(std::string_view text, std::size_t in_front) {
  const std::string_view rest = text.substr(in_front, kMaxSequenceBytes);
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find_first_not_of("0123456789;:<=>?!\"#$%&'()*+,-./ ", 1);
    if (end == rest.npos || rest[end] < '@' || rest[end] > '~') return {};
    return {in_front + end + 1, {}};
  }
  if (rest.starts_with('(')) return rest.size() > 1 ? Unit{in_front + 2, {}} : Unit{};
  if (!rest.starts_with(']')) return {};
  const std::size_t end =
      std::min(rest.find('\a'), std::min(rest.find('\x1b'), rest.find(kReplaced)));
  if (end == rest.npos) return {};
  const std::size_t ending = rest[end] == '\a' ? 1 : rest[end] == '\x1b' ? 1 : kReplaced.size();
  const bool is_st = rest.substr(end + ending).starts_with('\\');
  return {in_front + end + ending + (is_st ? 1 : 0), {}};
}

Unit unit_at(std::string_view text) {
  if (text.starts_with('\\')) return backslash_unit(text);
  if (text.starts_with('%')) return escaped(text.substr(1), 2, 1);
  if (text.starts_with('\x1b')) return terminal_unit(text, 1);
  if (text.starts_with(kReplaced)) return terminal_unit(text, kReplaced.size());
  return {};
}

}  // namespace

std::optional<PlainView> plain_view(std::string_view text) {
  constexpr std::string_view kBegins = "\\%\x1b\xEF";
  PlainView view;
  bool changed = false;
  for (std::size_t at = text.find_first_of(kBegins); at < text.size();
       at = text.find_first_of(kBegins, at + 1)) {
    if (unit_at(text.substr(at)).bytes > 0) {
      changed = true;
      break;
    }
  }
  if (!changed) return {};
  view.text.reserve(text.size());
  view.from.reserve(text.size());
  view.to.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Unit unit = unit_at(text.substr(at));
    const std::size_t next = at + std::max<std::size_t>(unit.bytes, 1);
    if (unit.bytes == 0 || unit.is) {
      view.text += unit.bytes == 0 ? text[at] : *unit.is;
      view.from.push_back(at);
      view.to.push_back(next);
    }
    at = next;
  }
  return view;
}

}  // namespace pedro
