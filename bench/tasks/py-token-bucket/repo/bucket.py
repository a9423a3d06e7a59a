"""A token bucket that limits how often a client may call us.

The caller passes in the time in seconds, so that the limiter needs no clock of its own.
"""


class TokenBucket:
    """Allows bursts of `capacity` requests and `rate` requests per second on average."""

    def __init__(self, rate, capacity, now=0.0):
        if rate <= 0 or capacity < 1:
            raise ValueError("rate and capacity must be positive")
        self.rate = rate
        self.capacity = capacity
        self.tokens = float(capacity)
        self.started = now
        self.updated = now
        self.refused = 0

    def _refill(self, now):
        elapsed = now - self.started
        self.tokens = min(self.capacity, self.tokens + elapsed * self.rate)
        self.updated = now

    def allow(self, now):
        """True if a request may be made now; it then takes one token."""
        self._refill(now)
        if self.tokens < 1:
            self.refused += 1
            return False
        self.tokens -= 1
        return True

    def status(self, now):
        """One line for the status page."""
        return f"up {now - self.started:.0f} s, {self.refused} refused"
