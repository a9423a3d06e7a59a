import unittest

from pricing import line_total, unit_price

TIERS = [(1, 100), (10, 90), (50, 75)]


class PricingTest(unittest.TestCase):
    def test_inside_a_tier(self):
        self.assertEqual(unit_price(TIERS, 20), 90)

    def test_exactly_at_a_minimum(self):
        self.assertEqual(unit_price(TIERS, 10), 90)
        self.assertEqual(unit_price(TIERS, 50), 75)

    def test_line_total(self):
        self.assertEqual(line_total(TIERS, 100), 7500)


if __name__ == "__main__":
    unittest.main()
