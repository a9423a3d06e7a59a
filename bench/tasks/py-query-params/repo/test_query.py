import unittest

from query import build_query, parse_query


class QueryTest(unittest.TestCase):
    def test_simple(self):
        self.assertEqual(parse_query("q=red+shoes&page=2"), {"q": ["red shoes"], "page": ["2"]})

    def test_repeated_name(self):
        self.assertEqual(parse_query("tag=a&tag=b"), {"tag": ["a", "b"]})

    def test_no_equals_sign(self):
        self.assertEqual(parse_query("q=x&debug"), {"q": ["x"], "debug": [""]})

    def test_empty(self):
        self.assertEqual(parse_query(""), {})

    def test_build(self):
        self.assertEqual(build_query({"q": ["a b"], "n": ["1", "2"]}), "n=1&n=2&q=a+b")


if __name__ == "__main__":
    unittest.main()
