import unittest

from seats import book, find_block


class SeatsTest(unittest.TestCase):
    def test_empty_row(self):
        self.assertEqual(find_block("....", 2), 0)

    def test_block_after_a_taken_seat(self):
        self.assertEqual(find_block("..x...", 3), 3)

    def test_no_block(self):
        self.assertIsNone(find_block(".x.x.", 2))

    def test_book(self):
        self.assertEqual(book([".x.", "x.."], 2), (1, 1, [".x.", "xxx"]))


if __name__ == "__main__":
    unittest.main()
