"""Sizes such as 64K or 2M in the settings of the upload service."""


def parse_size(text):
    """The number of bytes that a size means.

    A size is a whole number, optionally followed by K, M or G (upper or lower case) for
    1024, 1024 ** 2 or 1024 ** 3 bytes. Spaces around the size are ignored.
    Raises ValueError for anything else.
    """
    text = text.strip()
    factor = 1
    if text.endswith(("K", "k")):
        factor = 1024
        text = text[:-1]
    elif text.endswith("M"):
        factor = 1024 ** 2
        text = text[:-1]
    elif text.endswith("G"):
        factor = 1024 ** 3
        text = text[:-1]
    if not text.isdigit():
        raise ValueError(f"bad size: {text!r}")
    return int(text) * factor


def fits(size, limit):
    """True if a file of `size` bytes may be uploaded under the limit, for example '2M'."""
    return size <= parse_size(limit)
