import unittest

from mailtext import TemplateError, fill


class HiddenMailTextTest(unittest.TestCase):
    def test_table(self):
        for template, values, expected in [
                ("{a|}", {}, ""),
                ("{a|x}{b|y}", {"b": 2}, "x2"),
                ("{a|x}", {"a": ""}, ""),
                ("{a|x}", {"a": 0}, "0"),
                ("{a|x}", {"a": None}, "None"),
                ("{a|two words|or more}", {}, "two words|or more"),
                ("{1|x} {|x} { a|x}", {"a": 1}, "{1|x} {|x} { a|x}"),
                ("{a|x", {}, "{a|x"),
                ("{{a|x}}", {}, "{x}"),
                ("{a} and {a|b}", {"a": "c"}, "c and c")]:
            self.assertEqual(fill(template, values), expected, f"fill({template!r}, {values})")

    def test_missing_value(self):
        with self.assertRaises(TemplateError):
            fill("{a|x} {b}", {})
