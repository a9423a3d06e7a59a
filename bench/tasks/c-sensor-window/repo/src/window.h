/* The most recent readings of one sensor. */
#ifndef WINDOW_H
#define WINDOW_H

#define WINDOW_SIZE 4

struct window {
    int values[WINDOW_SIZE];
    int count; /* readings in the window, at most WINDOW_SIZE */
    int next;  /* index of the next reading */
};

void window_init(struct window *w);

/* Adds a reading. A full window forgets its oldest one. */
void window_add(struct window *w, int value);

/* The mean of the readings in the window; 0 for an empty window. */
double window_mean(const struct window *w);

/* The largest reading in the window; 0 for an empty window. */
int window_max(const struct window *w);

#endif
