"""A cache for rendered pages that keeps the most recently used ones."""

from collections import OrderedDict


class PageCache:
    """Keeps at most `capacity` pages. A page counts as used when it is stored or read."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._pages = OrderedDict()

    def get(self, path):
        """The page, or None if it is not in the cache."""
        if path not in self._pages:
            self.misses += 1
            return None
        self.hits += 1
        self._pages.move_to_end(path)
        return self._pages[path]

    def put(self, path, page):
        """Stores a page; the least recently used page is dropped if there are too many."""
        self._pages[path] = page
        self._pages.move_to_end(path)
        if len(self._pages) > self.capacity:
            dropped = next(reversed(self._pages))
            del self._pages[dropped]

    def drop(self, path):
        """Removes a page that has changed; does nothing if it is not in the cache."""
        self._pages.pop(path, None)

    def paths(self):
        """The paths in the cache, the least recently used one first."""
        return list(self._pages)
