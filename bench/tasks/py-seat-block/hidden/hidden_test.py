import unittest

from seats import book, find_block


def slow_find(row, count):
    for start in range(len(row) - count + 1):
        if row[start:start + count] == "." * count:
            return start
    return None


class HiddenSeatsTest(unittest.TestCase):
    def test_all_small_rows(self):
        for length in range(8):
            for bits in range(2 ** length):
                row = "".join("x" if bits >> i & 1 else "." for i in range(length))
                for count in range(1, 5):
                    self.assertEqual(find_block(row, count), slow_find(row, count), f"find_block({row!r}, {count})")

    def test_book_nothing(self):
        self.assertIsNone(book(["x.x", ".x."], 2))
        self.assertIsNone(book([], 1))
