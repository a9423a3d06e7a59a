import unittest

from retry import RetryPolicy


class HiddenRetryTest(unittest.TestCase):
    def test_growth(self):
        self.assertEqual(RetryPolicy(attempts=4, first_delay=1, factor=3).schedule(), [0.0, 1, 3, 9])

    def test_cap(self):
        policy = RetryPolicy(attempts=6, first_delay=2, factor=2, longest_delay=10)
        self.assertEqual(policy.schedule(), [0.0, 2, 4, 8, 10, 10])

    def test_first_delay_above_cap(self):
        self.assertEqual(RetryPolicy(first_delay=60).delay_before(2), 30.0)

    def test_no_delay(self):
        self.assertEqual(RetryPolicy(first_delay=0).delay_before(3), 0)

    def test_single_attempt(self):
        self.assertEqual(RetryPolicy(attempts=1).schedule(), [0.0])
