"""Coupons and their codes."""

from dataclasses import dataclass


class CouponError(Exception):
    pass


@dataclass
class Coupon:
    """A coupon that reduces the price by an amount in cents, or by a percentage of it."""

    cents: int = 0
    percent: int = 0

    def discount(self, subtotal):
        """The discount on a subtotal, in whole cents."""
        if self.percent:
            return subtotal * self.percent // 100
        return min(self.cents, subtotal)

    def label(self):
        return f"Coupon {self.percent}%" if self.percent else "Coupon"


def parse_coupon(code):
    """The coupon for a code: an amount in cents or a percentage such as '10%'."""
    digits = code[:-1] if code.endswith("%") else code
    if not digits.isdigit() or int(digits) == 0:
        raise CouponError(f"invalid coupon {code!r}")
    if not code.endswith("%"):
        return Coupon(cents=int(digits))
    if int(digits) > 100:
        raise CouponError(f"invalid coupon {code!r}")
    return Coupon(percent=int(digits))
