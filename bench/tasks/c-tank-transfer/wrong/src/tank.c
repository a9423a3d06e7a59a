#include "tank.h"

void tank_refill(struct tank *t)
{
    t->level = t->capacity;
}

enum tank_result tank_transfer(struct tank *from, struct tank *to, int litres)
{
    if (litres <= 0)
        return TANK_BAD_AMOUNT;
    if (from->level < litres)
        return TANK_TOO_LITTLE;
    if (to->level + litres >= to->capacity)
        return TANK_FULL;
    from->level -= litres;
    to->level += litres;
    return TANK_OK;
}

int tank_percent(const struct tank *t)
{
    if (t->capacity == 0)
        return 0;
    return t->level * 100 / t->capacity;
}
