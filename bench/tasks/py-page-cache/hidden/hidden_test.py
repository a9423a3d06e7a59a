import unittest

from pagecache import PageCache


class HiddenPageCacheTest(unittest.TestCase):
    def test_read_page_stays(self):
        cache = PageCache(2)
        cache.put("/a", 1)
        cache.put("/b", 2)
        cache.get("/a")
        cache.put("/c", 3)
        self.assertEqual(cache.paths(), ["/a", "/c"])

    def test_names_do_not_matter(self):
        cache = PageCache(3)
        for name in ["/z", "/m", "/a", "/k"]:
            cache.put(name, name)
        self.assertEqual(cache.paths(), ["/m", "/a", "/k"])

    def test_storing_again_counts_as_use(self):
        cache = PageCache(2)
        cache.put("/a", 1)
        cache.put("/b", 2)
        cache.put("/a", 3)
        cache.put("/c", 4)
        self.assertEqual(cache.paths(), ["/a", "/c"])
        self.assertEqual(cache.get("/a"), 3)

    def test_capacity_one(self):
        cache = PageCache(1)
        cache.put("/a", 1)
        cache.put("/b", 2)
        self.assertEqual(cache.paths(), ["/b"])
