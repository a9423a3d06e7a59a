import unittest

from bubble import bubble, wrap


class HiddenBubbleTest(unittest.TestCase):
    def test_table(self):
        for text, width, expected in [
                ("abcdefgh", 3, ["abc", "def", "gh"]),
                ("abcdef", 3, ["abc", "def"]),
                ("abcdef x", 3, ["abc", "def", "x"]),
                ("abcd x", 3, ["abc", "d x"]),
                ("a bcdefghijkl m", 4, ["a", "bcde", "fghi", "jkl", "m"]),
                ("a bb ccc", 1, ["a", "b", "b", "c", "c", "c"]),
                ("abc abc", 3, ["abc", "abc"]),
                ("ab c", 4, ["ab c"]),
                ("abcdefghij klmno", 4, ["abcd", "efgh", "ij", "klmn", "o"])]:
            self.assertEqual(wrap(text, width), expected, f"wrap({text!r}, {width})")

    def test_no_line_is_too_long_and_nothing_is_lost(self):
        text = "It is a supercalifragilisticexpialidocious day in Llanfairpwllgwyngyll today"
        for width in range(1, 45):
            lines = wrap(text, width)
            self.assertLessEqual(max(map(len, lines)), width)
            self.assertEqual("".join(lines).replace(" ", ""), text.replace(" ", ""))

    def test_bubble(self):
        self.assertEqual(bubble("", 5), "+--+\n|  |\n+--+")
