import unittest

from stock import Item, reorder_list


class HiddenStockTest(unittest.TestCase):
    def test_available(self):
        for on_hand, reserved, on_order, expected in [(0, 0, 0, 0), (10, 4, 0, 6), (10, 0, 5, 15),
                                                      (10, 4, 5, 11), (3, 8, 0, -5), (3, 8, 20, 15)]:
            item = Item("x", on_hand, 1, reserved=reserved, on_order=on_order)
            self.assertEqual(item.available(), expected, f"{on_hand} on hand, {reserved} reserved, {on_order} on order")

    def test_goods_on_their_way_are_not_ordered_again(self):
        self.assertEqual(reorder_list([Item("bolt", 12, 5, reserved=10, on_order=10)]), [])

    def test_packs(self):
        self.assertEqual(Item("cable", 3, 10, reserved=2, pack=4).packs_to_order(), 3)
        self.assertEqual(Item("cable", 12, 10, reserved=2, pack=4).packs_to_order(), 0)
