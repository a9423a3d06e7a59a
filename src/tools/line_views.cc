#include "tools/line_views.h"

#include <algorithm>

#include "base/hash.h"

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

}  // namespace pedro
