/* The books of a library and the readers who have them. */
#ifndef LIBRARY_H
#define LIBRARY_H

#define LIBRARY_MAX_BOOKS 20
#define LIBRARY_NAME_SIZE 32

struct book {
    char title[LIBRARY_NAME_SIZE];
    char reader[LIBRARY_NAME_SIZE]; /* "" while the book is in the library */
};

struct library {
    struct book books[LIBRARY_MAX_BOOKS];
    int count;
};

enum library_result {
    LIBRARY_OK = 0,
    LIBRARY_NO_BOOK,
    LIBRARY_LENT
};

/* Adds a book that is in the library. Titles are unique. */
void library_add(struct library *lib, const char *title);

/* The book with that title, or NULL. */
struct book *library_find(struct library *lib, const char *title);

/* Lends a book. LIBRARY_LENT: somebody has it already. */
enum library_result library_lend(struct library *lib, const char *title, const char *reader);

/* Takes a book back. */
enum library_result library_return(struct library *lib, const char *title);

#endif
