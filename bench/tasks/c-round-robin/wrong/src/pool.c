#include "pool.h"

#include <string.h>

void pool_init(struct pool *p, int count)
{
    memset(p, 0, sizeof *p);
    p->count = count < POOL_MAX_WORKERS ? count : POOL_MAX_WORKERS;
    p->last = -1;
    for (int i = 0; i < p->count; i++)
        p->workers[i].enabled = 1;
}

void pool_enable(struct pool *p, int worker, int enabled)
{
    if (worker >= 0 && worker < p->count)
        p->workers[worker].enabled = enabled;
}

int pool_assign(struct pool *p)
{
    for (int step = 1; step <= p->count; step++) {
        int i = (p->last + step) % p->count;

        if (p->workers[i].enabled) {
            p->workers[i].jobs++;
            p->last++;
            return i;
        }
    }
    return -1;
}

int pool_spread(const struct pool *p)
{
    int most = 0, least = 0;

    for (int i = 0; i < p->count; i++) {
        int jobs = p->workers[i].jobs;

        if (i == 0 || jobs > most)
            most = jobs;
        if (i == 0 || jobs < least)
            least = jobs;
    }
    return most - least;
}
