/* Checks for the test programs: a failed check prints its line and is counted. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <string.h>

static int check_failures;

#define CHECK_INT(expected, call)                                            \
    do {                                                                     \
        long want_ = (expected);                                             \
        long got_ = (call);                                                  \
        if (want_ != got_) {                                                 \
            printf("%s:%d: %s: expected %ld, got %ld\n", __FILE__, __LINE__, \
                   #call, want_, got_);                                      \
            check_failures++;                                                \
        }                                                                    \
    } while (0)

#define CHECK_DOUBLE(expected, call)                                         \
    do {                                                                     \
        double want_ = (expected);                                           \
        double got_ = (call);                                                \
        if (want_ - got_ > 1e-9 || got_ - want_ > 1e-9) {                    \
            printf("%s:%d: %s: expected %g, got %g\n", __FILE__, __LINE__,   \
                   #call, want_, got_);                                      \
            check_failures++;                                                \
        }                                                                    \
    } while (0)

#define CHECK_STR(expected, call)                                            \
    do {                                                                     \
        const char *want_ = (expected);                                      \
        const char *got_ = (call);                                           \
        if (got_ == NULL || strcmp(want_, got_) != 0) {                      \
            printf("%s:%d: %s: expected \"%s\", got \"%s\"\n", __FILE__,     \
                   __LINE__, #call, want_, got_ ? got_ : "(null)");          \
            check_failures++;                                                \
        }                                                                    \
    } while (0)

/* The exit code of a test program: 1 after a failed check. */
#define CHECK_RESULT() \
    (check_failures ? 1 : (printf("%s: all checks passed\n", __FILE__), 0))

#endif
