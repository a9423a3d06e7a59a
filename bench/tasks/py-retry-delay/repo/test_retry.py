import unittest

from retry import RetryPolicy


class RetryPolicyTest(unittest.TestCase):
    def test_first_attempt_starts_at_once(self):
        self.assertEqual(RetryPolicy().delay_before(1), 0.0)

    def test_second_attempt_waits_for_the_first_delay(self):
        self.assertEqual(RetryPolicy().delay_before(2), 0.5)

    def test_default_schedule(self):
        self.assertEqual(RetryPolicy().schedule(), [0.0, 0.5, 1.0, 2.0, 4.0])

    def test_allows(self):
        self.assertTrue(RetryPolicy(attempts=3).allows(3))
        self.assertFalse(RetryPolicy(attempts=3).allows(4))


if __name__ == "__main__":
    unittest.main()
