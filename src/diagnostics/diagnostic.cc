#include "diagnostics/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro::diagnostics {
namespace {

constexpr std::size_t kMaxShown = 8;
constexpr std::size_t kMaxMessageBytes = 200;
constexpr std::size_t kMaxPathBytes = 400;
constexpr std::size_t kMaxTextBytes = 2000;

// Replaces numbers, since messages name other lines.
std::string without_numbers(std::string_view message) {
  std::string text;
  for (const char c : message) {
    if (!is_digit(c)) {
      text += c;
    } else if (text.empty() || text.back() != '0') {
      text += '0';
    }
  }
  return text;
}

bool is_at(std::size_t old_line, std::size_t line, const ChangedLines& changed) {
  const std::size_t total = changed.total - changed.removed + changed.added;
  if (old_line >= changed.total && line >= total) return true;
  if (old_line < changed.first) return line == old_line;
  if (old_line >= changed.first + changed.removed) {
    return line + changed.removed == old_line + changed.added;
  }
  return line >= changed.first && line < changed.first + changed.added;
}

}  // namespace

ChangedLines changed_lines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = split_lines(before);
  const std::vector<std::string_view> lines = split_lines(after);
  const std::size_t common = std::min(old_lines.size(), lines.size());
  std::size_t head = 0;
  while (head < common && old_lines[head] == lines[head]) ++head;
  std::size_t tail = 0;
  while (tail < common - head && old_lines.rbegin()[tail] == lines.rbegin()[tail]) ++tail;
  return {head + 1, old_lines.size() - head - tail, lines.size() - head - tail, old_lines.size()};
}

std::vector<Diagnostic> introduced(const std::vector<Diagnostic>& before,
                                   const std::vector<Diagnostic>& after,
                                   const ChangedLines& changed) {
  std::vector<Diagnostic> old = before;
  for (Diagnostic& one : old) one.message = without_numbers(one.message);
  std::vector<Diagnostic> found;
  for (const Diagnostic& one : after) {
    const auto same = std::ranges::find_if(old, [&](const Diagnostic& earlier) {
      return is_at(earlier.line, one.line, changed) &&
             earlier.message == without_numbers(one.message);
    });
    if (same == old.end()) {
      found.push_back(one);
    } else {
      old.erase(same);
    }
  }
  return found;
}

std::string to_text(std::string_view path, const std::vector<Diagnostic>& list) {
  std::string text;
  std::size_t shown = 0;
  for (const Diagnostic& one : list) {
    if (shown == kMaxShown || text.size() >= kMaxTextBytes - kMaxPathBytes - kMaxMessageBytes) {
      break;
    }
    text += fmt::format("{}:{}: {}\n", truncate_utf8(path, kMaxPathBytes), one.line,
                        make_printable(one_line(truncate_utf8(one.message, kMaxMessageBytes))));
    ++shown;
  }
  if (shown < list.size()) text += fmt::format("... and {} more\n", list.size() - shown);
  return text;
}

}  // namespace pedro::diagnostics
