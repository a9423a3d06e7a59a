#include "room.h"

#include "check.h"

int main() {
  Room room;
  CHECK_EQ(true, room.book(3, 5, "Ada"));
  CHECK_EQ(false, room.book(4, 6, "Bob"));
  CHECK_EQ(true, room.book(5, 8, "Cleo"));
  CHECK_EQ("Ada", room.guest_in_night(4));
  CHECK_EQ("Cleo", room.guest_in_night(5));
  CHECK_EQ(5, room.nights_taken());
  return check_result();
}
