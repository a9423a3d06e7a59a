#include "booking.h"

#include <stdio.h>
#include <string.h>

static int is_time(const char *text) {
  int hour, minute;
  char more;
  if (sscanf(text, "%2d:%2d%c", &hour, &minute, &more) != 2) return 0;
  if (hour == 24) return minute == 0;
  return hour >= 0 && hour < 24 && minute >= 0 && minute < 60;
}

static int before(const char *a, const char *b) { return strcmp(a, b) < 0; }

int read_booking(const char *text, int line, struct booking *booking) {
  if (sscanf(text, "%s %5s %5s", booking->room, booking->begin, booking->end) != 3) return 0;
  booking->line = line;
  return is_time(booking->begin) && is_time(booking->end);
}

int clash(const struct booking *a, const struct booking *b) {
  if (strcmp(a->room, b->room) != 0) return 0;
  return before(a->begin, b->end) && before(b->begin, a->end);
}

int by_room_and_time(const void *a, const void *b) {
  const struct booking *one = a, *other = b;
  int room = strcmp(one->room, other->room);
  return room != 0 ? room : strcmp(one->begin, other->begin);
}
