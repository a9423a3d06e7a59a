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
    struct tank big = {200, 0};

    CHECK_STR("TANK_OK", transfer(&small, &big, 40));
    CHECK_INT(10, small.level);
    CHECK_STR("TANK_TOO_LITTLE", transfer(&small, &big, 40));

    tank_refill(&small);
    CHECK_STR("TANK_OK", transfer(&small, &big, 40));
    CHECK_INT(80, big.level);
    CHECK_INT(40, tank_percent(&big));
    CHECK_STR("TANK_BAD_AMOUNT", transfer(&small, &big, 0));
    return CHECK_RESULT();
}
