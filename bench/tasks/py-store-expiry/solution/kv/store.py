"""The data of the store."""

import time


class Store:
    """Values by key, some of which expire. `clock` returns the time in seconds."""

    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self._values = {}
        self._deadlines = {}

    def _expire(self):
        now = self.clock()
        for key in [key for key, deadline in self._deadlines.items() if deadline <= now]:
            del self._values[key]
            del self._deadlines[key]

    def set(self, key, value, seconds=None):
        """Stores a value; with `seconds`, it expires after that time."""
        self._values[key] = value
        self._deadlines.pop(key, None)
        if seconds is not None:
            self._deadlines[key] = self.clock() + seconds

    def get(self, key):
        """The value, or None if there is no such key."""
        self._expire()
        return self._values.get(key)

    def seconds_left(self, key):
        """The time until the key expires, or None if it does not expire."""
        if key not in self._deadlines:
            return None
        return self._deadlines[key] - self.clock()

    def delete(self, key):
        """Removes the key; False if there is no such key."""
        self._expire()
        self._deadlines.pop(key, None)
        return self._values.pop(key, None) is not None

    def keys(self):
        """All keys in sorted order."""
        self._expire()
        return sorted(self._values)
