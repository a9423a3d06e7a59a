"""Coupons and their codes."""

from dataclasses import dataclass


class CouponError(Exception):
    pass


@dataclass
class Coupon:
    """A coupon that reduces the price by an amount in cents."""

    cents: int


def parse_coupon(code):
    """The coupon for a code; a code is the amount in cents."""
    if not code.isdigit() or int(code) == 0:
        raise CouponError(f"invalid coupon {code!r}")
    return Coupon(int(code))
