import unittest

from query import build_query, parse_query


class HiddenQueryTest(unittest.TestCase):
    def test_table(self):
        for text, expected in [("a=1=2", {"a": ["1=2"]}), ("&&a=1&", {"a": ["1"]}), ("a", {"a": [""]}),
                               ("a=", {"a": [""]}), ("a=1&b=2&a=3&a", {"a": ["1", "3", ""], "b": ["2"]}),
                               ("x%20y=%26", {"x y": ["&"]}), ("a+b&a+b=c+d", {"a b": ["", "c d"]}),
                               ("u=http://h/?k=v", {"u": ["http://h/?k=v"]})]:
            self.assertEqual(parse_query(text), expected, f"parse_query({text!r})")

    def test_round_trip(self):
        params = {"k": ["1", "", "a&b=c"], "z y": ["%"]}
        self.assertEqual(parse_query(build_query(params)), params)
