import unittest

from cart.cart import Cart
from cart.coupon import CouponError
from cart.receipt import receipt


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()
        self.cart.add("Cup", 1200, 2)
        self.cart.add("Plate", 1195)

    def use(self, code):
        try:
            self.cart.use_coupon(code)
        except CouponError as error:
            self.fail(f"use_coupon({code!r}): {error}")

    def test_amount_coupon(self):
        self.use("500")
        self.assertEqual(self.cart.total(), 3095)

    def test_percent_coupon(self):
        self.use("10%")
        self.assertEqual((self.cart.discount(), self.cart.total()), (359, 3236))

    def test_receipt(self):
        self.use("10%")
        self.assertEqual(receipt(self.cart).splitlines(), [
            "2 Cup            24.00",
            "1 Plate          11.95",
            "Coupon 10%       -3.59",
            "Total            32.36"])

    def test_bad_codes(self):
        for code in ("", "0", "abc", "-5", "0%", "101%"):
            with self.assertRaises(CouponError, msg=repr(code)):
                self.cart.use_coupon(code)


if __name__ == "__main__":
    unittest.main()
