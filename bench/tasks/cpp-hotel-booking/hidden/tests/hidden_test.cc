#include "check.h"
#include "room.h"

int main() {
  Room room;
  CHECK_EQ(true, room.book(10, 12, "Ada"));
  CHECK_EQ(true, room.is_free(8, 10));
  CHECK_EQ(true, room.is_free(12, 13));
  CHECK_EQ(true, room.is_free(1, 3));
  CHECK_EQ(false, room.is_free(10, 11));
  CHECK_EQ(false, room.is_free(11, 12));
  CHECK_EQ(false, room.is_free(11, 20));
  CHECK_EQ(false, room.is_free(9, 11));
  CHECK_EQ(false, room.is_free(9, 13));
  CHECK_EQ(false, room.is_free(10, 12));
  CHECK_EQ(true, room.book(8, 10, "Bob"));
  CHECK_EQ(true, room.book(12, 13, "Cleo"));
  CHECK_EQ(false, room.book(9, 10, "Dan"));
  CHECK_EQ(false, room.book(20, 20, "Eve"));
  CHECK_EQ(false, room.book(21, 20, "Eve"));
  CHECK_EQ("Bob", room.guest_in_night(9));
  CHECK_EQ("Ada", room.guest_in_night(10));
  CHECK_EQ("", room.guest_in_night(13));
  CHECK_EQ(5, room.nights_taken());
  return check_result();
}
