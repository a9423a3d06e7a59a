"""Errors of the shop.

OrderError: the order's state does not allow the step.
StockError: there are not enough goods.
"""


class OrderError(Exception):
    pass


class StockError(Exception):
    pass
