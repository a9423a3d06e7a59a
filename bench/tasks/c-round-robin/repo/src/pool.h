/* A pool of workers that get jobs in turn. */
#ifndef POOL_H
#define POOL_H

#define POOL_MAX_WORKERS 8

struct worker {
    int enabled;
    int jobs; /* number of jobs assigned so far */
};

struct pool {
    struct worker workers[POOL_MAX_WORKERS];
    int count;
    int last; /* the worker that got the last job; -1 before the first job */
};

/* Creates `count` enabled workers, at most POOL_MAX_WORKERS. */
void pool_init(struct pool *p, int count);

void pool_enable(struct pool *p, int worker, int enabled);

/* Assigns a job to the first enabled worker after the one that got the last job.
 * Returns its index, or -1 if no worker is enabled. */
int pool_assign(struct pool *p);

/* The jobs of the busiest worker minus the jobs of the idlest one. */
int pool_spread(const struct pool *p);

#endif
