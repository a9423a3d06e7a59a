#include "tools/run_noise.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kLook = 16;  // bytes to search for a word before a duration

std::string without_control_sequences(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      out += line[i];
      continue;
    }
    if (i + 1 >= line.size() || line[i + 1] != '[') continue;
    i += 2;
    while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
  }
  return out;
}

/// Returns the text after the last "\r", which overwrote the rest.
std::string_view not_overwritten(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t back = line.rfind('\r');
  return back == std::string_view::npos ? line : line.substr(back + 1);
}

std::size_t unit_length(std::string_view text) {
  for (const std::string_view unit :
       {"seconds", "second", "secs", "sec", "minutes", "ms", "us", "ns", "µs", "s"}) {
    if (text.starts_with(unit) &&
        (text.size() == unit.size() || !is_word_byte(text[unit.size()]))) {
      return unit.size();
    }
  }
  return 0;
}

/// Returns the length of a duration ("0.02 s") at the start of `text`; 0 if there is none.
std::size_t duration_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || (text[end] == '.' && end > 0))) ++end;
  if (end == 0) return 0;
  if (end < text.size() && text[end] == ' ') ++end;
  const std::size_t unit = unit_length(text.substr(end));
  return unit == 0 ? 0 : end + unit;
}

/// Returns true if a duration at this place is printed as a measurement.
bool announces_duration(std::string_view before, std::string_view after) {
  if (before.ends_with('(')) return true;
  if (before.ends_with("  ") || before.ends_with('\t')) return trim(after).empty();
  const std::string lower = to_lower(before.substr(before.size() - std::min(before.size(), kLook)));
  if (lower.ends_with(" in ") || lower.ends_with("took ")) return true;
  return lower.ends_with("time: ") || lower.ends_with("elapsed: ");
}

std::string without_durations(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    const bool starts = is_digit(line[i]) && (i == 0 || !is_word_byte(line[i - 1]));
    const std::size_t length = starts ? duration_length(line.substr(i)) : 0;
    if (length > 0 && announces_duration(line.substr(0, i), line.substr(i + length))) {
      i += length;
      if (out.ends_with('(') && line.substr(i).starts_with(')')) {
        out.pop_back();
        ++i;
      }
    } else {
      out += line[i++];
    }
  }
  return out;
}

}  // namespace

std::string without_run_noise(std::string_view line) {
  const std::string seen = without_control_sequences(not_overwritten(line));
  std::string out = make_printable(without_durations(seen));
  out.erase(out.find_last_not_of(" \t") + 1);
  return out;
}

}  // namespace pedro
