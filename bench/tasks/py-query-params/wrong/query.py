"""Query strings of the search page."""

from urllib.parse import quote_plus, unquote_plus


def parse_query(text):
    """Reads a query string into {name: list of values}.

    - Parameters are separated by '&'; empty ones are skipped.
    - The first '=' separates name and value. Without '=', the value is "".
    - A name that occurs several times has several values, in order.
    - '+' and %XX are decoded in names and values.
    """
    params = {}
    for part in text.split("&"):
        if not part:
            continue
        pair = part.split("=")
        value = unquote_plus(pair[1]) if len(pair) > 1 else ""
        params.setdefault(unquote_plus(pair[0]), []).append(value)
    return params


def build_query(params):
    """The query string for {name: list of values}, with the names in sorted order."""
    parts = []
    for name in sorted(params):
        for value in params[name]:
            parts.append(f"{quote_plus(name)}={quote_plus(value)}")
    return "&".join(parts)
