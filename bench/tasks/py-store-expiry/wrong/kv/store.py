"""The data of the store."""

import time


class Store:
    """Values by key, some of which expire. `clock` returns the time in seconds."""

    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self._values = {}
        self._deadlines = {}

    def _alive(self, key):
        return key in self._values and self._deadlines.get(key, float("inf")) > self.clock()

    def set(self, key, value, seconds=None):
        """Stores a value; with `seconds`, it expires after that time."""
        self._values[key] = value
        if seconds is not None:
            self._deadlines[key] = self.clock() + seconds

    def get(self, key):
        """The value, or None if there is no such key."""
        return self._values[key] if self._alive(key) else None

    def seconds_left(self, key):
        """The time until the key expires, or None if it does not expire."""
        if key not in self._deadlines:
            return None
        return self._deadlines[key] - self.clock()

    def delete(self, key):
        """Removes the key; False if there is no such key."""
        return self._values.pop(key, None) is not None

    def keys(self):
        """All keys in sorted order."""
        return sorted(key for key in self._values if self._alive(key))
