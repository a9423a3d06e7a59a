"""Coupons and their codes."""

from dataclasses import dataclass


class CouponError(Exception):
    pass


@dataclass
class Coupon:
    """A coupon that reduces the price by an amount in cents, or by a percentage of it."""

    cents: int
    percent: int = 0


def parse_coupon(code):
    """The coupon for a code: an amount in cents or a percentage such as '10%'."""
    if code.endswith("%") and code[:-1].isdigit() and 1 <= int(code[:-1]) <= 100:
        return Coupon(0, int(code[:-1]))
    if not code.isdigit() or int(code) == 0:
        raise CouponError(f"invalid coupon {code!r}")
    return Coupon(int(code))
