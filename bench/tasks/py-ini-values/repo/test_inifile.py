import unittest

from inifile import IniError, get, parse


class IniTest(unittest.TestCase):
    def test_sections_and_comments(self):
        text = "# main\nname = shop\n[db]\nhost = local\n; port = 1\n"
        self.assertEqual(parse(text), {"": {"name": "shop"}, "db": {"host": "local"}})

    def test_value_with_equals_sign(self):
        self.assertEqual(parse("[search]\nfilter = status=open"), {"search": {"filter": "status=open"}})

    def test_errors(self):
        with self.assertRaisesRegex(IniError, "line 2: expected key = value"):
            parse("a = 1\nb\n")

    def test_get(self):
        self.assertEqual(get(parse("a = 1"), "", "a"), "1")
        self.assertEqual(get(parse("a = 1"), "x", "a", "none"), "none")


if __name__ == "__main__":
    unittest.main()
