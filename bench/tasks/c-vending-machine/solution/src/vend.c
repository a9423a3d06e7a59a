#include "vend.h"

static int is_coin(int coin)
{
    static const int coins[] = {10, 20, 50, 100, 200};

    for (unsigned i = 0; i < sizeof coins / sizeof coins[0]; i++) {
        if (coins[i] == coin)
            return 1;
    }
    return 0;
}

void vend_insert(struct vend *v, int coin)
{
    if (is_coin(coin))
        v->credit += coin;
    else
        v->change += coin;
}

enum vend_result vend_select(struct vend *v, int slot)
{
    struct vend_slot *s;

    if (slot < 0 || slot >= VEND_SLOTS)
        return VEND_BAD_SLOT;
    s = &v->slots[slot];
    if (s->stock == 0)
        return VEND_SOLD_OUT;
    if (v->credit < s->price)
        return VEND_NEED_MORE;
    s->stock--;
    v->change += v->credit - s->price;
    v->credit = 0;
    return VEND_SOLD;
}

void vend_cancel(struct vend *v)
{
    v->change += v->credit;
    v->credit = 0;
}
