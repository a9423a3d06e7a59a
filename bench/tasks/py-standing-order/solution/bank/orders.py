"""Standing orders: the same transfer on one day of every month."""

from bank.ledger import LedgerError
from bank.money import format_cents


class StandingOrder:
    def __init__(self, source, target, amount, day):
        if not 1 <= day <= 28:
            raise ValueError("day must be between 1 and 28")
        self.source = source
        self.target = target
        self.amount = amount
        self.day = day

    def describe(self):
        return f"{self.source} -> {self.target}: {format_cents(self.amount)}"


def run_orders(ledger, orders, day):
    """Makes the transfers that are due on this day of the month.

    Returns the descriptions of the orders that failed, with the reason.
    """
    failed = []
    for order in orders:
        if order.day != day:
            continue
        try:
            ledger.transfer(order.source, order.target, order.amount, "standing order")
        except LedgerError as error:
            failed.append(f"{order.describe()}: {error}")
    return failed
