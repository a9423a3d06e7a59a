/* The command lines of the library's desk. */
#ifndef DESK_H
#define DESK_H

#include <stddef.h>

#include "library.h"

/* Runs one command and writes its answer, without a newline, to `answer`. */
void desk_run(struct library *lib, const char *line, char *answer, size_t size);

#endif
