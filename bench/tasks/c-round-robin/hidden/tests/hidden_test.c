#include "check.h"
#include "pool.h"

int main(void)
{
    struct pool p;

    pool_init(&p, 4);
    for (int i = 0; i < 10; i++)
        CHECK_INT(i % 4, pool_assign(&p));
    CHECK_INT(1, pool_spread(&p));

    /* two neighbours are disabled */
    pool_init(&p, 4);
    pool_enable(&p, 1, 0);
    pool_enable(&p, 2, 0);
    CHECK_INT(0, pool_assign(&p));
    CHECK_INT(3, pool_assign(&p));
    CHECK_INT(0, pool_assign(&p));
    CHECK_INT(3, pool_assign(&p));
    pool_enable(&p, 1, 1);
    CHECK_INT(0, pool_assign(&p));
    CHECK_INT(1, pool_assign(&p));
    CHECK_INT(3, pool_assign(&p));

    /* a time without workers does not change the turn */
    pool_init(&p, 2);
    CHECK_INT(0, pool_assign(&p));
    pool_enable(&p, 0, 0);
    pool_enable(&p, 1, 0);
    CHECK_INT(-1, pool_assign(&p));
    pool_enable(&p, 0, 1);
    pool_enable(&p, 1, 1);
    CHECK_INT(1, pool_assign(&p));
    CHECK_INT(0, pool_spread(&p));

    pool_init(&p, 0);
    CHECK_INT(-1, pool_assign(&p));
    return CHECK_RESULT();
}
