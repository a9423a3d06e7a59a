#ifndef BOOKING_H
#define BOOKING_H

#include <stddef.h>

enum { kMaxBookings = 1000 };

struct booking {
  char room[16];
  char begin[6]; /* as it was written */
  char end[6];
  int line;
};

/* Reads "ROOM BEGIN END"; 0 where the line is no booking. */
int read_booking(const char *text, int line, struct booking *booking);

/* Whether both are of one room and have time in common. */
int clash(const struct booking *a, const struct booking *b);

/* Orders bookings by room, then by when they begin; for qsort. */
int by_room_and_time(const void *a, const void *b);

#endif
