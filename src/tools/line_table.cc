#include "tools/line_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace pedro {

LineTable::LineTable(std::string_view text) : text_(text) {
  std::size_t start = 0;
  while (start < text.size()) {
    starts_.push_back(start);
    const std::size_t end = text.find('\n', start);
    start = end == std::string_view::npos ? text.size() : end + 1;
  }
  starts_.push_back(text.size());
}

std::string_view LineTable::text(LineRange lines) const {
  return text_.substr(offset(lines.first), offset(lines.last + 1) - offset(lines.first));
}

std::string_view LineTable::end_of(std::size_t line) const {
  const std::string_view whole = text({line, line});
  if (whole.ends_with("\r\n")) return whole.substr(whole.size() - 2);
  return whole.ends_with('\n') ? whole.substr(whole.size() - 1) : std::string_view();
}

std::string_view LineTable::line(std::size_t line) const {
  std::string_view whole = text({line, line});
  whole.remove_suffix(end_of(line).size());
  return whole;
}

std::size_t LineTable::line_at(std::size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end() - 1, offset);
  return std::max<std::size_t>(1, static_cast<std::size_t>(after - starts_.begin()));
}

std::string_view LineTable::end_to_use_at(std::size_t line) const {
  // Only the last line can lack a line end, so this examines at most two lines.
  for (std::size_t n = std::min(line, size()); n >= 1; --n) {
    if (!end_of(n).empty()) return end_of(n);
  }
  return "\n";
}

LineRange LineTable::clamp(LineRange range) const {
  return {std::max<std::size_t>(1, range.first), std::min(range.last, size())};
}

std::string numbered_lines(const LineTable& table, LineRange range, std::size_t max_line_bytes) {
  range = table.clamp(range);
  std::string out;
  for (std::size_t n = range.first; n <= range.last; ++n) {
    const std::string_view line = table.line(n);
    const std::string_view kept = truncate_utf8(line, max_line_bytes);
    out += fmt::format("{}\t{}", n, kept);
    if (kept.size() < line.size()) {
      out += fmt::format(" [... {} more bytes in this line]", line.size() - kept.size());
    }
    out += '\n';
  }
  return out;
}

}  // namespace pedro
