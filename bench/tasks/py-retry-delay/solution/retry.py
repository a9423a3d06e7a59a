"""Delays between the attempts to reach a flaky service."""


class RetryPolicy:
    """How often a request is tried and how long to wait in between."""

    def __init__(self, attempts=5, first_delay=0.5, factor=2.0, longest_delay=30.0):
        if attempts < 1:
            raise ValueError("attempts must be at least 1")
        self.attempts = attempts
        self.first_delay = first_delay
        self.factor = factor
        self.longest_delay = longest_delay

    def delay_before(self, attempt):
        """Seconds to wait before the given attempt.

        Attempt 1 starts at once. The delay before attempt 2 is `first_delay`. It grows
        by `factor` with every further attempt and never exceeds `longest_delay`.
        """
        if attempt <= 1:
            return 0.0
        delay = self.first_delay * self.factor ** (attempt - 2)
        return min(delay, self.longest_delay)

    def schedule(self):
        """The delays before all attempts, in order."""
        return [self.delay_before(n) for n in range(1, self.attempts + 1)]

    def allows(self, attempt):
        """True if the given attempt may be made at all."""
        return 1 <= attempt <= self.attempts
