"""The shopping cart."""

from cart.coupon import parse_coupon


class Cart:
    """Items (name, unit price, quantity) and at most one coupon."""

    def __init__(self):
        self.items = []
        self.coupon = None

    def add(self, name, price, quantity=1):
        self.items.append((name, price, quantity))

    def use_coupon(self, code):
        """Uses a coupon in place of the one before."""
        self.coupon = parse_coupon(code)

    def subtotal(self):
        return sum(price * quantity for _, price, quantity in self.items)

    def discount(self):
        if self.coupon is None:
            return 0
        return self.coupon.discount(self.subtotal())

    def total(self):
        return self.subtotal() - self.discount()
