#include "library.h"

#include <stdio.h>
#include <string.h>

void library_add(struct library *lib, const char *title)
{
    struct book *b;

    if (lib->count == LIBRARY_MAX_BOOKS || library_find(lib, title))
        return;
    b = &lib->books[lib->count++];
    snprintf(b->title, sizeof b->title, "%s", title);
    b->reader[0] = '\0';
}

struct book *library_find(struct library *lib, const char *title)
{
    for (int i = 0; i < lib->count; i++) {
        if (strcmp(lib->books[i].title, title) == 0)
            return &lib->books[i];
    }
    return NULL;
}

enum library_result library_lend(struct library *lib, const char *title, const char *reader)
{
    struct book *b = library_find(lib, title);

    if (!b)
        return LIBRARY_NO_BOOK;
    if (b->reader[0] != '\0')
        return LIBRARY_LENT;
    snprintf(b->reader, sizeof b->reader, "%s", reader);
    return LIBRARY_OK;
}
