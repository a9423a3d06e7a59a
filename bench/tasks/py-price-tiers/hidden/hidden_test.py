import unittest

from pricing import line_total, unit_price

TIERS = [(50, 75), (1, 100), (10, 90)]


class HiddenPricingTest(unittest.TestCase):
    def test_all_edges(self):
        for quantity, price in [(1, 100), (2, 100), (9, 100), (10, 90), (11, 90),
                                (49, 90), (50, 75), (51, 75), (1000, 75)]:
            self.assertEqual(unit_price(TIERS, quantity), price, f"unit_price(TIERS, {quantity})")

    def test_line_total(self):
        self.assertEqual(line_total(TIERS, 9), 900)
        self.assertEqual(line_total(TIERS, 10), 900)

    def test_no_price(self):
        with self.assertRaises(ValueError):
            unit_price([(5, 10)], 4)
        with self.assertRaises(ValueError):
            unit_price([], 1)
