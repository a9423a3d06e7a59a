#include "base/line_diff.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPairs = 4'000'000;

using Lines = std::vector<std::string_view>;

// All lines of two texts in the order of a difference.
class Differ {
 public:
  Differ(const Lines& before, const Lines& after) : before_(before), after_(after) {
    const std::size_t most = std::min(before.size(), after.size());
    while (begin_ < most && before[begin_] == after[begin_]) ++begin_;
    while (end_ < most - begin_ &&
           before[before.size() - 1 - end_] == after[after.size() - 1 - end_]) {
      ++end_;
    }
  }

  std::vector<DiffRow> rows() {
    for (std::size_t i = 0; i < begin_; ++i) add_same(i);
    add_middle();
    for (std::size_t i = after_.size() - end_; i < after_.size(); ++i) add_same(i);
    return std::move(rows_);
  }

 private:
  void add_same(std::size_t i) { rows_.push_back({DiffRow::Kind::kSame, after_[i], i + 1}); }
  void add_removed(std::size_t i) { rows_.push_back({DiffRow::Kind::kRemoved, before_[i], i + 1}); }
  void add_added(std::size_t i) { rows_.push_back({DiffRow::Kind::kAdded, after_[i], i + 1}); }

  // Follows a longest common subsequence. `longest[i][j]`: that of the lines from i and j on.
  void add_middle() {
    const std::size_t rows = before_.size() - begin_ - end_;
    const std::size_t columns = after_.size() - begin_ - end_;
    const bool is_small = columns == 0 || rows <= kMaxPairs / columns;
    std::vector<std::uint32_t> longest;
    const auto at = [columns](std::size_t i, std::size_t j) { return i * (columns + 1) + j; };
    if (is_small) longest.resize((rows + 1) * (columns + 1));
    for (std::size_t i = is_small ? rows : 0; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        longest[at(i, j)] = before_[begin_ + i] == after_[begin_ + j]
                                ? longest[at(i + 1, j + 1)] + 1
                                : std::max(longest[at(i + 1, j)], longest[at(i, j + 1)]);
      }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < rows || j < columns) {
      const bool both = i < rows && j < columns;
      if (both && is_small && before_[begin_ + i] == after_[begin_ + j]) {
        add_same(begin_ + j);
        ++i;
        ++j;
      } else if (i < rows &&
                 (!both || !is_small || longest[at(i + 1, j)] >= longest[at(i, j + 1)])) {
        add_removed(begin_ + i++);
      } else {
        add_added(begin_ + j++);
      }
    }
  }

  const Lines& before_;
  const Lines& after_;
  std::size_t begin_ = 0;  // number of common lines at the begin
  std::size_t end_ = 0;    // at the end
  std::vector<DiffRow> rows_;
};

}  // namespace

std::vector<DiffRow> line_diff(std::string_view before, std::string_view after,
                               std::size_t context) {
  const Lines old_lines = split_lines(before);
  const Lines new_lines = split_lines(after);
  const std::vector<DiffRow> all = Differ(old_lines, new_lines).rows();
  std::vector<bool> shown(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == DiffRow::Kind::kSame) continue;
    const std::size_t end = std::min(all.size(), i + context + 1);
    for (std::size_t j = i - std::min(i, context); j < end; ++j) shown[j] = true;
  }
  std::vector<DiffRow> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (shown[i]) {
      rows.push_back(all[i]);
    } else if (!rows.empty() && rows.back().kind != DiffRow::Kind::kGap) {
      rows.push_back({DiffRow::Kind::kGap});
    }
  }
  if (!rows.empty() && rows.back().kind == DiffRow::Kind::kGap) rows.pop_back();
  return rows;
}

}  // namespace pedro
