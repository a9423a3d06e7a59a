"""A recorder for temperatures that never uses more memory than at its start."""


class Recorder:
    """Keeps the last `capacity` readings in a list of fixed size.

    `_next` is the place of the next reading, `_count` the number of readings kept.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self._places = [None] * capacity
        self._next = 0
        self._count = 0

    def __len__(self):
        """The number of readings kept."""
        return self._count

    def add(self, value):
        """Keeps a reading; if there is no free place, it replaces the oldest one."""
        if self._next == len(self._places):
            self._next = 0
        self._places[self._next] = value
        self._next += 1
        self._count += 1

    def readings(self):
        """The readings kept, the oldest one first."""
        return self._places[:self._count]

    def latest(self):
        """The newest reading, or None if there is none."""
        if self._count == 0:
            return None
        return self._places[self._next]

    def average(self):
        """The mean of the readings kept, or None if there is none."""
        if self._count == 0:
            return None
        return sum(self.readings()) / len(self._places)

    def clear(self):
        """Forgets all readings."""
        self._places = [None] * len(self._places)
        self._next = 0
        self._count = 0
