#include "room.h"

bool Room::is_free(int arrival, int departure) const {
  for (const Stay& stay : stays_) {
    if (arrival < stay.departure && stay.arrival <= departure) return false;
  }
  return true;
}

bool Room::book(int arrival, int departure, const std::string& guest) {
  if (arrival >= departure || !is_free(arrival, departure)) return false;
  stays_.push_back({arrival, departure, guest});
  return true;
}

std::string Room::guest_in_night(int night) const {
  for (const Stay& stay : stays_) {
    if (stay.arrival <= night && night < stay.departure) return stay.guest;
  }
  return "";
}

int Room::nights_taken() const {
  int nights = 0;
  for (const Stay& stay : stays_) nights += stay.departure - stay.arrival;
  return nights;
}
