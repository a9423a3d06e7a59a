#include <stdio.h>
#include <stdlib.h>

#include "booking.h"

static struct booking bookings[kMaxBookings];

static void print(const struct booking *a, const struct booking *b) {
  printf("%s: %s-%s (line %d) and %s-%s (line %d)\n", a->room, a->begin, a->end, a->line,
         b->begin, b->end, b->line);
}

int main(void) {
  char text[256];
  int count = 0, line = 0, wrong = 0, clashes = 0;
  while (count < kMaxBookings && fgets(text, sizeof text, stdin)) {
    ++line;
    if (text[0] == '\n' || text[0] == '#') continue;
    struct booking next;
    if (read_booking(text, line, &next)) {
      bookings[count++] = next;
    } else {
      fprintf(stderr, "bookings: line %d is no booking: %s", line, text);
      wrong = 1;
    }
  }
  qsort(bookings, count, sizeof bookings[0], by_room_and_time);
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (!clash(&bookings[i], &bookings[j])) continue;
      print(&bookings[i], &bookings[j]);
      clashes = 1;
    }
  }
  return wrong ? 2 : clashes;
}
