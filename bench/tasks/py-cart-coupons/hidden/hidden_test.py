import unittest

from cart.cart import Cart
from cart.coupon import CouponError
from cart.receipt import receipt


class HiddenCartTest(unittest.TestCase):
    def cart(self, code, *prices):
        cart = Cart()
        for price in prices:
            cart.add("Item", price)
        if code:
            try:
                cart.use_coupon(code)
            except CouponError as error:
                self.fail(f"use_coupon({code!r}): {error}")
        return cart

    def test_totals(self):
        for code, prices, total in [("1%", [99], 99), ("1%", [100], 99), ("50%", [333], 167), ("100%", [333], 0),
                                    ("33%", [50, 50], 67), ("5%", [], 0), ("900", [500], 0), ("499", [500], 1),
                                    ("15%", [19, 19, 19], 49), (None, [5], 5)]:
            self.assertEqual(self.cart(code, *prices).total(), total, f"coupon {code}, prices {prices}")

    def test_items_added_after_the_coupon(self):
        cart = self.cart("10%", 1000)
        cart.add("Late", 1000)
        self.assertEqual(cart.discount(), 200)

    def test_last_coupon_counts(self):
        cart = self.cart("10%", 1000)
        cart.use_coupon("300")
        self.assertEqual(cart.total(), 700)
        self.assertEqual(receipt(cart).splitlines()[1], "Coupon           -3.00")

    def test_receipt(self):
        self.assertEqual(receipt(self.cart("100%", 1000)).splitlines()[1:],
                         ["Coupon 100%     -10.00", "Total             0.00"])

    def test_bad_codes(self):
        for code in ("%", "x%", "1.5%", "-1%", "10%%", "200%", "%10", "00%"):
            with self.assertRaises(CouponError, msg=repr(code)):
                Cart().use_coupon(code)
