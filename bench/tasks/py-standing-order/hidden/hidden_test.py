import unittest

from bank.ledger import Ledger, LedgerError
from bank.orders import StandingOrder, run_orders


class HiddenBankTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()
        self.ledger.open("a", 10000)
        self.ledger.open("b", 0, limit=5000)
        self.ledger.open("c")

    def test_orders(self):
        orders = [StandingOrder("a", "b", 2500, 3), StandingOrder("b", "c", 1000, 3), StandingOrder("a", "c", 1, 4)]
        self.assertEqual(run_orders(self.ledger, orders, 3), [])
        self.assertEqual(self.ledger.balances, {"a": 7500, "b": 1500, "c": 1000})
        self.assertEqual(self.ledger.entries,
                         [("a", "b", 2500, "standing order"), ("b", "c", 1000, "standing order")])

    def test_failed_order(self):
        failed = run_orders(self.ledger, [StandingOrder("c", "a", 100, 1), StandingOrder("b", "a", 5000, 1)], 1)
        self.assertEqual(failed, ["c -> a: 1.00: not enough money on c"])
        self.assertEqual(self.ledger.balances, {"a": 15000, "b": -5000, "c": 0})

    def test_description_and_fields(self):
        order = StandingOrder("a", "b", 90000, 1)
        self.assertEqual(order.describe(), "a -> b: 900.00")
        self.assertEqual((order.source, order.target), ("a", "b"))

    def test_transfer_by_hand(self):
        self.ledger.transfer("a", "c", 10000)
        self.assertEqual(self.ledger.balances, {"a": 0, "b": 0, "c": 10000})
        with self.assertRaises(LedgerError):
            self.ledger.transfer("a", "c", 1)
