"""Stock levels and the reorder list of a small warehouse."""


class Item:
    """An article in the warehouse.

    `on_hand` pieces are on the shelf, `reserved` of them are promised to customers, and
    `on_order` pieces are on their way from the supplier.
    """

    def __init__(self, name, on_hand, minimum, reserved=0, on_order=0, pack=1):
        self.name = name
        self.on_hand = on_hand
        self.minimum = minimum
        self.reserved = reserved
        self.on_order = on_order
        self.pack = pack

    def available(self):
        """Pieces that can still be promised, including those on their way."""
        return self.on_hand - (self.reserved + self.on_order)

    def packs_to_order(self):
        """Full packs needed to reach the minimum again; 0 if nothing is missing."""
        missing = self.minimum - self.available()
        if missing <= 0:
            return 0
        return -(-missing // self.pack)


def reorder_list(items):
    """The (name, packs) pairs to order, sorted by name."""
    orders = [(item.name, item.packs_to_order()) for item in items]
    return sorted(order for order in orders if order[1] > 0)
