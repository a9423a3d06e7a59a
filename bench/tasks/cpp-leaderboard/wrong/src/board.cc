#include "board.h"

#include <algorithm>

namespace {

bool is_ahead(const Entry& a, const Entry& b) {
  if (a.points != b.points) return a.points > b.points;
  return a.seconds <= b.seconds;
}

}  // namespace

void Board::add(const std::string& player, int points, int seconds) {
  entries_.push_back({player, points, seconds});
}

std::vector<Entry> Board::ranking() const {
  std::vector<Entry> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(), is_ahead);
  return sorted;
}

std::string Board::top(int count) const {
  std::string names;
  for (const Entry& entry : ranking()) {
    if (count-- <= 0) break;
    if (!names.empty()) names += ", ";
    names += entry.player;
  }
  return names;
}
