import unittest

from inifile import IniError, parse


class HiddenIniTest(unittest.TestCase):
    def test_values(self):
        for line, expected in [("a=1", {"a": "1"}), ("a = b = c", {"a": "b = c"}), ("a==", {"a": "="}),
                               ("url=http://h/?x=1&y=2", {"url": "http://h/?x=1&y=2"}), ("key =", {"key": ""}),
                               ("token = YWJj==", {"token": "YWJj=="}), ("a= b", {"a": "b"})]:
            self.assertEqual(parse(line), {"": expected}, f"parse({line!r})")

    def test_last_value_wins(self):
        self.assertEqual(parse("[s]\nk=1\n[t]\n[s]\nk=x=2"), {"s": {"k": "x=2"}, "t": {}})

    def test_empty_key(self):
        for line in ["= 1", "=a=b"]:
            with self.assertRaisesRegex(IniError, "line 1: the key is empty", msg=line):
                parse(line)
