import unittest

from bank.ledger import Ledger
from bank.money import format_cents, parse_cents
from bank.orders import StandingOrder, run_orders


class BankTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()
        self.ledger.open("tenant", 200000)
        self.ledger.open("landlord", 500000)

    def test_money(self):
        self.assertEqual(format_cents(-1205), "-12.05")
        self.assertEqual(parse_cents("12.34"), 1234)

    def test_transfer(self):
        self.ledger.transfer("tenant", "landlord", 50000)
        self.assertEqual(self.ledger.balances, {"tenant": 150000, "landlord": 550000})

    def test_standing_order(self):
        failed = run_orders(self.ledger, [StandingOrder("tenant", "landlord", 90000, day=1)], day=1)
        self.assertEqual(failed, [])
        self.assertEqual(self.ledger.balances, {"tenant": 110000, "landlord": 590000})

    def test_other_days(self):
        run_orders(self.ledger, [StandingOrder("tenant", "landlord", 90000, day=1)], day=2)
        self.assertEqual(self.ledger.entries, [])


if __name__ == "__main__":
    unittest.main()
