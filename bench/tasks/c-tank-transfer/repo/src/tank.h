/* Water tanks and transfers between them. */
#ifndef TANK_H
#define TANK_H

struct tank {
    int capacity; /* litres */
    int level;    /* litres, from 0 to capacity */
};

enum tank_result {
    TANK_OK = 0,
    TANK_BAD_AMOUNT, /* the amount is not positive */
    TANK_TOO_LITTLE, /* the source holds less than the amount */
    TANK_FULL        /* the target has no room for the amount */
};

/* Fills the tank to the brim. */
void tank_refill(struct tank *t);

/* Moves an amount from one tank to the other. A transfer may empty the source
 * completely and may fill the target to the brim. After any result other than
 * TANK_OK both tanks are unchanged. */
enum tank_result tank_transfer(struct tank *from, struct tank *to, int litres);

/* The level in percent of the capacity, rounded down. */
int tank_percent(const struct tank *t);

#endif
