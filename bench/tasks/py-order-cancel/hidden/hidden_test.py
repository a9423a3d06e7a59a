import unittest

from shop.cashbox import Cashbox
from shop.errors import OrderError, StockError
from shop.order import Order
from shop.stock import Stock


class HiddenOrderTest(unittest.TestCase):
    def play(self, *steps):
        self.cashbox = Cashbox()
        self.stock = Stock({"cup": 10})
        order = Order("Bob", {"cup": 4}, 999)
        calls = {"pay": lambda: order.pay(self.cashbox), "pack": lambda: order.pack(self.stock),
                 "ship": order.ship, "cancel": lambda: order.cancel(self.cashbox, self.stock)}
        for step in steps:
            calls[step]()
        return order.state, self.cashbox.balance, self.cashbox.refunds, self.stock.pieces["cup"]

    def test_cancel_in_every_state(self):
        for steps, expected in [(["cancel"], ("cancelled", 0, [], 10)),
                                (["pay", "cancel"], ("cancelled", 0, [("Bob", 999)], 10)),
                                (["pay", "pack", "cancel"], ("cancelled", 0, [("Bob", 999)], 10)),
                                (["pay", "pack"], ("packed", 999, [], 6))]:
            self.assertEqual(self.play(*steps), expected, " ".join(steps))

    def test_refused(self):
        for steps in (["pay", "pack", "ship", "cancel"], ["pay", "pack", "cancel", "cancel"], ["cancel", "pay"]):
            with self.assertRaises(OrderError, msg=" ".join(steps)):
                self.play(*steps)
        self.assertRaises(OrderError, self.play, "pay", "pack", "ship", "cancel")
        self.assertEqual((self.cashbox.balance, self.stock.pieces), (999, {"cup": 6}))

    def test_goods_of_other_orders_stay(self):
        stock, cashbox = Stock({"cup": 5}), Cashbox()
        first, second = Order("A", {"cup": 2}, 1), Order("B", {"cup": 3}, 2)
        for order in (first, second):
            order.pay(cashbox)
            order.pack(stock)
        second.cancel(cashbox, stock)
        self.assertEqual((stock.pieces, cashbox.balance), ({"cup": 3}, 1))

    def test_not_enough_goods(self):
        order = Order("A", {"cup": 2}, 1)
        order.pay(Cashbox())
        with self.assertRaises(StockError):
            order.pack(Stock({"cup": 1}))
        self.assertEqual(order.state, "paid")
