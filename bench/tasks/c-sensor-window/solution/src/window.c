#include "window.h"

void window_init(struct window *w)
{
    w->count = 0;
    w->next = 0;
}

void window_add(struct window *w, int value)
{
    w->values[w->next] = value;
    w->next = (w->next + 1) % WINDOW_SIZE;
    if (w->count < WINDOW_SIZE)
        w->count++;
}

double window_mean(const struct window *w)
{
    int sum = 0;

    if (w->count == 0)
        return 0;
    for (int i = 0; i < w->count; i++)
        sum += w->values[i];
    return (double)sum / w->count;
}

int window_max(const struct window *w)
{
    int max;

    if (w->count == 0)
        return 0;
    max = w->values[0];
    for (int i = 1; i < w->count; i++) {
        if (w->values[i] > max)
            max = w->values[i];
    }
    return max;
}
