"""Payments and refunds, in cents."""


class Cashbox:
    def __init__(self):
        self.balance = 0
        self.refunds = []

    def pay(self, cents):
        self.balance += cents

    def refund(self, customer, cents):
        self.balance -= cents
        self.refunds.append((customer, cents))
