#include "tools/line_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/utf8.h"

namespace pedro {
namespace {

// Returns the new number of a line after `added` lines replaced the lines `removed`.
std::size_t moved(std::size_t line, LineRange removed, std::size_t added) {
  return line - removed.size() + added;
}

}  // namespace

void LineViews::begin_reply() {
  for (auto& [path, view] : views_) view.edits.clear();
}

void LineViews::show(const std::string& path, const LineTable& table, LineRange lines) {
  std::map<std::size_t, std::uint64_t>& hashes = views_[path].hashes;
  lines = table.clamp(lines);
  for (std::size_t n = lines.first; n <= lines.last; ++n) hashes[n] = hash_bytes(table.line(n));
  hashes.erase(hashes.upper_bound(table.size()), hashes.end());
}

void LineViews::edit(const std::string& path, LineRange removed, std::size_t added) {
  View& view = views_[path];
  view.edits.push_back({removed, added});
  std::map<std::size_t, std::uint64_t> hashes;
  for (const auto& [line, hash] : view.hashes) {
    if (line < removed.first) hashes[line] = hash;
    if (line > removed.last) hashes[moved(line, removed, added)] = hash;
  }
  view.hashes = std::move(hashes);
}

void LineViews::write(const std::string& path, const LineTable& table) {
  views_.erase(path);
  show(path, table, {1, table.size()});
}

LineViews::MeantLines LineViews::find(const std::string& path, LineRange lines) const {
  MeantLines meant{lines};
  const auto view = views_.find(path);
  if (view == views_.end()) return meant;
  for (const auto& [removed, added] : view->second.edits) {
    if (meant.lines.first > removed.last) {
      meant.lines.first = moved(meant.lines.first, removed, added);
      meant.lines.last = moved(meant.lines.last, removed, added);
    } else if (meant.lines.last >= removed.first) {
      meant.edited = true;
      meant.lines.first = std::min(meant.lines.first, removed.first);
      meant.lines.last = moved(std::max(meant.lines.last, removed.last), removed, added);
    }
  }
  return meant;
}

bool LineViews::differ(const std::string& path, const LineTable& table, LineRange lines) const {
  const auto view = views_.find(path);
  if (view == views_.end()) return false;
  const auto& hashes = view->second.hashes;
  const auto end = hashes.upper_bound(lines.last + 1);
  return std::any_of(hashes.lower_bound(lines.first - 1), end, [&](const auto& seen) {
    return seen.first > table.size() || seen.second != hash_bytes(table.line(seen.first));
  });
}

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
