// The calendar of one hotel room.
#pragma once

#include <string>
#include <vector>

struct Stay {
  int arrival;    // first night
  int departure;  // the day the guest leaves
  std::string guest;
};

class Room {
 public:
  /// True if no stay takes a night between the two days.
  bool is_free(int arrival, int departure) const;

  /// Books a stay. False if the days are not in order or the room is taken.
  bool book(int arrival, int departure, const std::string& guest);

  /// The guest who sleeps in the room in that night, or "".
  std::string guest_in_night(int night) const;

  /// The number of nights that are taken.
  int nights_taken() const;

 private:
  std::vector<Stay> stays_;
};
