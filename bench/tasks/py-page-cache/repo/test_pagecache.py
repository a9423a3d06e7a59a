import unittest

from pagecache import PageCache


class PageCacheTest(unittest.TestCase):
    def test_hit_and_miss(self):
        cache = PageCache(2)
        cache.put("/a", "A")
        self.assertEqual(cache.get("/a"), "A")
        self.assertIsNone(cache.get("/b"))
        self.assertEqual((cache.hits, cache.misses), (1, 1))

    def test_oldest_page_makes_room(self):
        cache = PageCache(2)
        for name in "abc":
            cache.put("/" + name, name.upper())
        self.assertEqual(cache.paths(), ["/b", "/c"])

    def test_drop(self):
        cache = PageCache(2)
        cache.put("/a", "A")
        cache.drop("/a")
        cache.drop("/a")
        self.assertEqual(cache.paths(), [])


if __name__ == "__main__":
    unittest.main()
