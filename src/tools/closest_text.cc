#include "tools/closest_text.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFileLines = 50'000;
constexpr std::size_t kMaxWantedLines = 100;
constexpr std::size_t kMaxComparedLines = 10'000;  // edit distance is slow

struct TrimmedLine {
  std::string_view text;
  std::uint64_t hash = 0;
};

TrimmedLine trimmed(std::string_view line) {
  const std::string_view text = trim(line);
  return {text, hash_bytes(text)};
}

// Removes blank lines at both ends.
std::vector<TrimmedLine> wanted_lines(std::string_view wanted) {
  std::vector<TrimmedLine> lines;
  for (const std::string_view line : split_lines(trim(wanted))) {
    if (lines.size() == kMaxWantedLines) break;
    lines.push_back(trimmed(line));
  }
  return lines;
}

std::vector<TrimmedLine> file_lines(const LineTable& table) {
  std::vector<TrimmedLine> lines;
  lines.reserve(std::min(table.size(), kMaxFileLines));
  for (std::size_t n = 1; n <= table.size() && n <= kMaxFileLines; ++n) {
    lines.push_back(trimmed(table.line(n)));
  }
  return lines;
}

struct Window {
  std::size_t start = 0;  // index into the file's lines
  std::size_t bytes = 0;  // of matching lines
  std::size_t lines = 0;
};

Window best_window(const std::vector<TrimmedLine>& file, const std::vector<TrimmedLine>& wanted) {
  Window best;
  for (std::size_t start = 0; start < file.size(); ++start) {
    Window window{start, 0, 0};
    const std::size_t length = std::min(wanted.size(), file.size() - start);
    for (std::size_t i = 0; i < length; ++i) {
      if (file[start + i].hash != wanted[i].hash) continue;
      window.bytes += wanted[i].text.size();
      ++window.lines;
    }
    if (window.bytes > best.bytes) best = window;
  }
  return best;
}

double likeness(std::string_view a, std::string_view b) {
  const std::size_t longer = std::min<std::size_t>(64, std::max(a.size(), b.size()));
  return longer == 0 ? 0
                     : 1 - static_cast<double>(edit_distance(a, b)) / static_cast<double>(longer);
}

std::optional<ClosestText> around_longest_line(const std::vector<TrimmedLine>& file,
                                               const std::vector<TrimmedLine>& wanted) {
  const auto longest =
      std::max_element(wanted.begin(), wanted.end(),
                       [](const auto& a, const auto& b) { return a.text.size() < b.text.size(); });
  double best = 0.6;
  std::size_t best_line = file.size();
  for (std::size_t i = 0; i < file.size() && i < kMaxComparedLines; ++i) {
    const double alike = likeness(file[i].text, longest->text);
    if (alike < best || (alike == best && best_line < file.size())) continue;
    best = alike;
    best_line = i;
  }
  if (best_line == file.size()) return std::nullopt;
  const auto before = static_cast<std::size_t>(longest - wanted.begin());
  const std::size_t start = best_line - std::min(best_line, before);
  return ClosestText{{start + 1, std::min(start + wanted.size(), file.size())}, false};
}

}  // namespace

std::optional<ClosestText> closest_text(const LineTable& table, std::string_view wanted) {
  const std::vector<TrimmedLine> lines = wanted_lines(wanted);
  const std::vector<TrimmedLine> file = file_lines(table);
  if (lines.empty() || file.empty()) return std::nullopt;
  std::size_t wanted_bytes = 0;
  for (const TrimmedLine& line : lines) wanted_bytes += line.text.size();

  const Window window = best_window(file, lines);
  // Matches below a quarter are mostly braces and blank lines, which occur everywhere.
  if (window.bytes * 4 < wanted_bytes) return around_longest_line(file, lines);
  const std::size_t last = std::min(window.start + lines.size(), file.size());
  return ClosestText{{window.start + 1, last}, window.lines == lines.size()};
}

}  // namespace pedro
