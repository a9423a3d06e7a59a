"""Accounts and the transfers between them."""


class LedgerError(Exception):
    pass


class Ledger:
    """Balances by account name, in cents. An account may be overdrawn up to its limit."""

    def __init__(self):
        self.balances = {}
        self.limits = {}
        self.entries = []

    def open(self, name, balance=0, limit=0):
        if name in self.balances:
            raise LedgerError(f"account {name} exists")
        self.balances[name] = balance
        self.limits[name] = limit

    def transfer(self, source, target, amount, note=""):
        """Moves the amount from one account to another."""
        for name in (source, target):
            if name not in self.balances:
                raise LedgerError(f"no account {name}")
        if amount <= 0:
            raise LedgerError("the amount must be positive")
        if self.balances[source] - amount < -self.limits[source]:
            raise LedgerError(f"not enough money on {source}")
        self.balances[source] -= amount
        self.balances[target] += amount
        self.entries.append((source, target, amount, note))
