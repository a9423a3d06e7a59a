import unittest

from bucket import TokenBucket


class TokenBucketTest(unittest.TestCase):
    def test_burst(self):
        bucket = TokenBucket(rate=1, capacity=3)
        self.assertEqual([bucket.allow(now=0) for _ in range(5)], [True, True, True, False, False])

    def test_burst_after_a_minute(self):
        bucket = TokenBucket(rate=1, capacity=3)
        self.assertEqual([bucket.allow(now=60) for _ in range(5)], [True, True, True, False, False])

    def test_status(self):
        bucket = TokenBucket(rate=1, capacity=1, now=100)
        bucket.allow(now=100)
        bucket.allow(now=100)
        self.assertEqual(bucket.status(now=130), "up 30 s, 1 refused")


if __name__ == "__main__":
    unittest.main()
