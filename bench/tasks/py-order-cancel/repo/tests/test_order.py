import unittest

from shop.cashbox import Cashbox
from shop.errors import OrderError
from shop.order import Order
from shop.stock import Stock


class OrderTest(unittest.TestCase):
    def setUp(self):
        self.cashbox = Cashbox()
        self.stock = Stock({"cup": 10, "plate": 4})
        self.order = Order("Ada", {"cup": 3, "plate": 1}, 2500)

    def test_normal_way(self):
        self.order.pay(self.cashbox)
        self.order.pack(self.stock)
        self.order.ship()
        self.assertEqual((self.order.state, self.cashbox.balance), ("shipped", 2500))
        self.assertEqual(self.stock.pieces, {"cup": 7, "plate": 3})

    def test_cancel_new_order(self):
        self.order.cancel(self.cashbox, self.stock)
        self.assertEqual((self.order.state, self.cashbox.refunds), ("cancelled", []))

    def test_cancel_packed_order(self):
        self.order.pay(self.cashbox)
        self.order.pack(self.stock)
        self.order.cancel(self.cashbox, self.stock)
        self.assertEqual(self.order.state, "cancelled")
        self.assertEqual(self.cashbox.refunds, [("Ada", 2500)])
        self.assertEqual(self.stock.pieces, {"cup": 10, "plate": 4})

    def test_cancel_twice(self):
        self.order.cancel(self.cashbox, self.stock)
        with self.assertRaises(OrderError):
            self.order.cancel(self.cashbox, self.stock)


if __name__ == "__main__":
    unittest.main()
