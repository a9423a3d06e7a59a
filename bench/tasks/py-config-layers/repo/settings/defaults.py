"""The default of every setting. Other names are errors."""

DEFAULTS = {
    "host": "localhost",
    "port": 8080,
    "retries": 3,
    "compress": True,
    "limit": 1000,
    "prefix": "/api",
}


def known(name):
    """True if there is a setting with this name."""
    return name in DEFAULTS
