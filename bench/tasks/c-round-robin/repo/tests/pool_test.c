#include "check.h"
#include "pool.h"

int main(void)
{
    struct pool p;

    pool_init(&p, 3);
    CHECK_INT(0, pool_assign(&p));
    CHECK_INT(1, pool_assign(&p));
    CHECK_INT(2, pool_assign(&p));
    CHECK_INT(0, pool_assign(&p));
    CHECK_INT(1, p.workers[1].jobs);

    pool_init(&p, 1);
    CHECK_INT(0, pool_assign(&p));
    pool_enable(&p, 0, 0);
    CHECK_INT(-1, pool_assign(&p));
    return CHECK_RESULT();
}
