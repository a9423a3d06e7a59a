"""Splits a restaurant bill. All amounts are in cents."""


def split_cents(total, people):
    """The shares of `people` people, as a list of whole cents.

    The shares add up to `total` exactly and differ by at most one cent. The larger
    shares come first. Raises ValueError if `total` is negative or `people` is less
    than 1.
    """
    if total < 0 or people < 1:
        raise ValueError("total must not be negative and people must be at least 1")
    share, left = divmod(total, people)
    return [share + 1] * left + [share] * (people - left)


def with_tip(total, percent):
    """The total with a tip, rounded up to a whole cent."""
    return total + -(-total * percent // 100)


def bill_lines(names, total, percent=0):
    """One line per person with the share of the bill, for example 'Ada: 12.50'."""
    shares = split_cents(with_tip(total, percent), len(names))
    return [f"{name}: {share // 100}.{share % 100:02d}" for name, share in zip(names, shares)]
