#include "desk.h"

#include <stdio.h>
#include <string.h>

static void run_lend(struct library *lib, const char *title, const char *reader,
                     char *answer, size_t size)
{
    switch (library_lend(lib, title, reader)) {
    case LIBRARY_OK:
        snprintf(answer, size, "%s is lent to %s", title, reader);
        break;
    case LIBRARY_NO_BOOK:
        snprintf(answer, size, "no book %s", title);
        break;
    case LIBRARY_LENT:
        snprintf(answer, size, "%s has %s", library_find(lib, title)->reader, title);
        break;
    }
}

static void run_return(struct library *lib, const char *title, char *answer, size_t size)
{
    struct book *b = library_find(lib, title);

    if (!b) {
        snprintf(answer, size, "no book %s", title);
        return;
    }
    snprintf(answer, size, "%s is back from %s", title, b->reader);
    library_return(lib, title);
}

static void run_who(struct library *lib, const char *title, char *answer, size_t size)
{
    struct book *b = library_find(lib, title);

    if (!b)
        snprintf(answer, size, "no book %s", title);
    else if (b->reader[0] == '\0')
        snprintf(answer, size, "nobody has %s", title);
    else
        snprintf(answer, size, "%s has %s", b->reader, title);
}

void desk_run(struct library *lib, const char *line, char *answer, size_t size)
{
    char command[16] = "", title[LIBRARY_NAME_SIZE] = "", reader[LIBRARY_NAME_SIZE] = "";
    int words = sscanf(line, "%15s %31s %31s", command, title, reader);

    if (strcmp(command, "lend") == 0) {
        if (words == 3)
            run_lend(lib, title, reader, answer, size);
        else
            snprintf(answer, size, "usage: lend BOOK READER");
    } else if (strcmp(command, "return") == 0) {
        if (words == 2)
            run_return(lib, title, answer, size);
        else
            snprintf(answer, size, "usage: return BOOK");
    } else if (strcmp(command, "who") == 0) {
        if (words == 2)
            run_who(lib, title, answer, size);
        else
            snprintf(answer, size, "usage: who BOOK");
    } else {
        snprintf(answer, size, "unknown command '%s'", command);
    }
}
