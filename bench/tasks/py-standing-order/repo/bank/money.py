"""Amounts of money, in cents."""


def format_cents(cents):
    """1234 -> '12.34'"""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def parse_cents(text):
    """'12.34' -> 1234; the decimal places may be missing."""
    whole, _, fraction = text.partition(".")
    if len(fraction) not in (0, 2):
        raise ValueError(f"bad amount: {text!r}")
    return int(whole) * 100 + int(fraction or 0)
