"""The data of the store."""

import time


class Store:
    """Values by key. `clock` returns the time in seconds."""

    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self._values = {}

    def set(self, key, value):
        self._values[key] = value

    def get(self, key):
        """The value, or None if there is no such key."""
        return self._values.get(key)

    def delete(self, key):
        """Removes the key; False if there is no such key."""
        return self._values.pop(key, None) is not None

    def keys(self):
        """All keys in sorted order."""
        return sorted(self._values)
