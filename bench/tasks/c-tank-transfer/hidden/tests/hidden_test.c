#include "check.h"
#include "tank.h"

/* The name of the result. */
static const char *transfer(struct tank *from, struct tank *to, int litres)
{
    static const char *const names[] = {"TANK_OK", "TANK_BAD_AMOUNT", "TANK_TOO_LITTLE",
                                        "TANK_FULL"};

    return names[tank_transfer(from, to, litres)];
}

int main(void)
{
    struct tank small = {50, 50};
    struct tank big = {200, 160};

    /* to the brim */
    CHECK_STR("TANK_OK", transfer(&small, &big, 40));
    CHECK_INT(200, big.level);
    CHECK_INT(10, small.level);
    CHECK_STR("TANK_FULL", transfer(&small, &big, 1));
    CHECK_INT(200, big.level);
    CHECK_INT(10, small.level);

    /* from the big tank into the small one */
    CHECK_STR("TANK_FULL", transfer(&big, &small, 41));
    CHECK_INT(200, big.level);
    CHECK_STR("TANK_OK", transfer(&big, &small, 40));
    CHECK_INT(50, small.level);
    CHECK_INT(160, big.level);

    /* the source may become empty */
    small.level = 30;
    big.level = 0;
    CHECK_STR("TANK_OK", transfer(&small, &big, 30));
    CHECK_INT(0, small.level);
    CHECK_STR("TANK_TOO_LITTLE", transfer(&small, &big, 1));
    CHECK_STR("TANK_BAD_AMOUNT", transfer(&big, &small, -5));
    CHECK_INT(15, tank_percent(&big));
    return CHECK_RESULT();
}
