/* The control logic of a vending machine. All prices are in cents. */
#ifndef VEND_H
#define VEND_H

#define VEND_SLOTS 3

struct vend_slot {
    int price;
    int stock;
};

struct vend {
    struct vend_slot slots[VEND_SLOTS];
    int credit; /* money inserted and not yet spent */
    int change; /* money in the return tray */
};

enum vend_result {
    VEND_SOLD = 0,
    VEND_BAD_SLOT,
    VEND_SOLD_OUT,
    VEND_NEED_MORE
};

/* Accepts coins of 10, 20, 50, 100 and 200. Other coins fall through to the tray. */
void vend_insert(struct vend *v, int coin);

/* Sells one item. A sale clears the credit; what is left of it goes to the tray.
 * The reasons against a sale are checked in this order:
 * VEND_BAD_SLOT   there is no such slot
 * VEND_SOLD_OUT   the slot is empty, whatever the credit is
 * VEND_NEED_MORE  the credit is lower than the price
 * Without a sale nothing changes. */
enum vend_result vend_select(struct vend *v, int slot);

/* Moves the whole credit to the tray. */
void vend_cancel(struct vend *v);

#endif
