#include "check.h"
#include "vend.h"

/* The name of the result. */
static const char *choose(struct vend *v, int slot)
{
    static const char *const names[] = {"VEND_SOLD", "VEND_BAD_SLOT", "VEND_SOLD_OUT",
                                        "VEND_NEED_MORE"};

    return names[vend_select(v, slot)];
}

static void test_sale_with_change(void)
{
    struct vend v = {{{150, 5}, {80, 2}, {200, 1}}, 0, 0};

    vend_insert(&v, 200);
    CHECK_STR("VEND_SOLD", choose(&v, 0));
    CHECK_INT(0, v.credit);
    CHECK_INT(50, v.change);
    CHECK_STR("VEND_NEED_MORE", choose(&v, 1));
    CHECK_STR("VEND_BAD_SLOT", choose(&v, 3));
}

static void test_empty_slot(void)
{
    struct vend v = {{{150, 1}, {80, 2}, {200, 1}}, 0, 0};

    vend_insert(&v, 100);
    vend_insert(&v, 50);
    CHECK_STR("VEND_SOLD", choose(&v, 0));
    vend_insert(&v, 100);
    vend_insert(&v, 50);
    CHECK_STR("VEND_SOLD_OUT", choose(&v, 0));
    CHECK_INT(150, v.credit);
    CHECK_INT(0, v.slots[0].stock);
}

int main(void)
{
    test_sale_with_change();
    test_empty_slot();
    return CHECK_RESULT();
}
