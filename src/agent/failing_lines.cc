#include "agent/failing_lines.h"

#include <algorithm>

#include "agent/task_files.h"
#include "base/text.h"
#include "tools/failing_part.h"

namespace pedro {
namespace {

constexpr int kMaxLines = 2000;

std::string without_digits(std::string_view line) {
  std::string text;
  for (const char c : trim(line)) {
    if (!is_digit(c)) text += c;
  }
  return replace_all(text, "targets failed", "target failed");  // cargo
}

}  // namespace

FailingLines::FailingLines(std::string_view output) {
  int lines = 0;
  for (const std::string_view line : split_lines(output)) {
    if (++lines > kMaxLines) return;
    const auto place = first_place(line);
    if (place && is_test_path(place->path)) test_places_.emplace(place->path, place->line);
    if (!tells_failure(line)) continue;
    ++counts_[without_digits(line)];
    ++total_;
  }
}

bool FailingLines::improves(const FailingLines& before) const {
  if (test_places_.size() == 1 && before.test_places_.size() == 1 && total_ <= before.total_) {
    const auto& [path, line] = *test_places_.begin();
    const auto& [path_before, line_before] = *before.test_places_.begin();
    if (path == path_before && line > line_before) return true;
  }
  return total_ > 0 && total_ < before.total_ && !adds_to(before);
}

bool FailingLines::adds_to(const FailingLines& before) const {
  return std::any_of(counts_.begin(), counts_.end(), [&before](const auto& failure) {
    const auto known = before.counts_.find(failure.first);
    return known == before.counts_.end() || known->second < failure.second;
  });
}

}  // namespace pedro
