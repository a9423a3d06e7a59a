"""An order and its way through the shop."""

from shop.errors import OrderError


class Order:
    """An order of one customer. `goods` maps articles to pieces, `price` is in cents."""

    def __init__(self, customer, goods, price):
        self.customer = customer
        self.goods = dict(goods)
        self.price = price
        self.state = "new"

    def _step(self, before, after):
        if self.state != before:
            raise OrderError(f"the order is {self.state}, not {before}")
        self.state = after

    def pay(self, cashbox):
        self._step("new", "paid")
        cashbox.pay(self.price)

    def pack(self, stock):
        if self.state == "paid":
            stock.take(self.goods)
        self._step("paid", "packed")

    def ship(self):
        self._step("packed", "shipped")

    def cancel(self, cashbox, stock):
        """Cancels the order; see the README for each state."""
        if self.state in ("shipped", "cancelled"):
            raise OrderError(f"the order is {self.state}")
        if self.state == "paid":
            cashbox.refund(self.customer, self.price)
        self.state = "cancelled"
