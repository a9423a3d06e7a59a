#include "check.h"
#include "window.h"

int main(void)
{
    struct window w;

    window_init(&w);
    CHECK_DOUBLE(0, window_mean(&w));
    window_add(&w, 1);
    window_add(&w, 2);
    CHECK_DOUBLE(1.5, window_mean(&w));
    window_add(&w, 2);
    window_add(&w, 2);
    CHECK_DOUBLE(1.75, window_mean(&w));
    window_add(&w, 10);
    CHECK_DOUBLE(4, window_mean(&w));
    window_add(&w, 3);
    CHECK_DOUBLE(4.25, window_mean(&w));
    CHECK_INT(10, window_max(&w));

    window_init(&w);
    window_add(&w, -3);
    window_add(&w, -4);
    CHECK_DOUBLE(-3.5, window_mean(&w));
    CHECK_INT(-3, window_max(&w));
    return CHECK_RESULT();
}
