#include "check.h"
#include "window.h"

int main(void)
{
    struct window w;

    window_init(&w);
    CHECK_DOUBLE(0, window_mean(&w));
    window_add(&w, 20);
    CHECK_DOUBLE(20, window_mean(&w));
    window_add(&w, 21);
    CHECK_DOUBLE(20.5, window_mean(&w));
    CHECK_INT(21, window_max(&w));
    return CHECK_RESULT();
}
