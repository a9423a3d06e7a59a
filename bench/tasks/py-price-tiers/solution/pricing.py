"""Unit prices that fall with the ordered quantity. All prices are in cents."""


def unit_price(tiers, quantity):
    """The price of one piece when `quantity` pieces are ordered.

    `tiers` is a list of (minimum, price) pairs in any order. A tier applies from
    its minimum on; of the tiers that apply, the one with the largest minimum counts.
    Raises ValueError if no tier applies.
    """
    best = None
    for minimum, price in tiers:
        if quantity >= minimum:
            if best is None or minimum > best[0]:
                best = (minimum, price)
    if best is None:
        raise ValueError(f"no price for {quantity} pieces")
    return best[1]


def line_total(tiers, quantity):
    """The price of an order line."""
    return unit_price(tiers, quantity) * quantity
