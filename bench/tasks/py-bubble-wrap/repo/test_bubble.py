import unittest

from bubble import bubble, wrap


class BubbleTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(wrap("the quick brown fox", 10), ["the quick", "brown fox"])

    def test_no_words(self):
        self.assertEqual(wrap("  ", 10), [])

    def test_long_word(self):
        self.assertEqual(wrap("see http://example.org now", 10), ["see", "http://exa", "mple.org", "now"])

    def test_bubble(self):
        self.assertEqual(bubble("hello you", 5), "+-------+\n| hello |\n| you   |\n+-------+")


if __name__ == "__main__":
    unittest.main()
