import unittest

from bucket import TokenBucket


class HiddenTokenBucketTest(unittest.TestCase):
    def test_one_request_per_second(self):
        bucket = TokenBucket(rate=1, capacity=2, now=0)
        times = [0, 0, 0, 1, 1, 2, 2, 10, 10, 10]
        self.assertEqual([bucket.allow(t) for t in times],
                         [True, True, False, True, False, True, False, True, True, False])

    def test_fractional_rate(self):
        bucket = TokenBucket(rate=0.5, capacity=1, now=0)
        self.assertEqual([bucket.allow(t) for t in [0, 1, 2, 3, 4]], [True, False, True, False, True])

    def test_long_average(self):
        bucket = TokenBucket(rate=2, capacity=4, now=1000)
        allowed = sum(bucket.allow(1000 + i * 0.125) for i in range(800))
        self.assertTrue(200 <= allowed <= 204, f"{allowed} of 800 requests in 100 s were allowed, expected 203")

    def test_status_counts_from_the_start(self):
        bucket = TokenBucket(rate=1, capacity=1, now=10)
        bucket.allow(now=40)
        self.assertEqual(bucket.status(now=70), "up 60 s, 0 refused")
