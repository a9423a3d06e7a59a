// The result list of a quiz.
#pragma once

#include <string>
#include <vector>

struct Entry {
  std::string player;
  int points;
  int seconds;
};

class Board {
 public:
  void add(const std::string& player, int points, int seconds);

  /// All entries, the winner first. More points win; with equal points the shorter time
  /// wins. Entries that are equal in both stay in the order in which they were added.
  std::vector<Entry> ranking() const;

  /// The first `count` players of the ranking, such as "Mia, Leo".
  std::string top(int count) const;

 private:
  std::vector<Entry> entries_;
};
