import unittest

from stock import Item, reorder_list


class StockTest(unittest.TestCase):
    def test_available_without_reservations(self):
        self.assertEqual(Item("nut", on_hand=7, minimum=5).available(), 7)

    def test_reserved_pieces_are_not_available(self):
        self.assertEqual(Item("bolt", on_hand=12, minimum=5, reserved=10).available(), 2)

    def test_reorder_list(self):
        items = [Item("nut", 7, 5), Item("bolt", 12, 5, reserved=10, pack=2)]
        self.assertEqual(reorder_list(items), [("bolt", 2)])


if __name__ == "__main__":
    unittest.main()
