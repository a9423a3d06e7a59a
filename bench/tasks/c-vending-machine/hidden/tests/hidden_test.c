#include "check.h"
#include "vend.h"

/* The name of the result. */
static const char *choose(struct vend *v, int slot)
{
    static const char *const names[] = {"VEND_SOLD", "VEND_BAD_SLOT", "VEND_SOLD_OUT",
                                        "VEND_NEED_MORE"};

    return names[vend_select(v, slot)];
}

int main(void)
{
    struct vend v = {{{150, 0}, {80, 2}, {20, 1}}, 0, 0};

    /* sold out comes before the credit */
    CHECK_STR("VEND_SOLD_OUT", choose(&v, 0));
    vend_insert(&v, 100);
    CHECK_STR("VEND_SOLD_OUT", choose(&v, 0));
    CHECK_INT(100, v.credit);
    CHECK_INT(0, v.change);
    CHECK_INT(0, v.slots[0].stock);

    /* another slot still sells */
    CHECK_STR("VEND_SOLD", choose(&v, 1));
    CHECK_INT(20, v.change);
    CHECK_INT(1, v.slots[1].stock);
    CHECK_STR("VEND_NEED_MORE", choose(&v, 1));

    /* the last item sells once */
    vend_insert(&v, 20);
    CHECK_STR("VEND_SOLD", choose(&v, 2));
    CHECK_INT(0, v.slots[2].stock);
    vend_insert(&v, 200);
    CHECK_STR("VEND_SOLD_OUT", choose(&v, 2));
    vend_cancel(&v);
    CHECK_INT(220, v.change);
    CHECK_INT(0, v.credit);
    vend_insert(&v, 5);
    CHECK_INT(225, v.change);
    CHECK_STR("VEND_BAD_SLOT", choose(&v, -1));
    return CHECK_RESULT();
}
