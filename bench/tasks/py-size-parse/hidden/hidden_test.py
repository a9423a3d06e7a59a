import unittest

from sizes import fits, parse_size


class HiddenSizesTest(unittest.TestCase):
    def test_table(self):
        for text, size in [("0", 0), ("7", 7), ("1K", 1024), ("1k", 1024), ("3M", 3 * 1024 ** 2),
                           ("3m", 3 * 1024 ** 2), ("1G", 1024 ** 3), ("2g", 2 * 1024 ** 3), (" 12M ", 12 * 1024 ** 2)]:
            try:
                found = parse_size(text)
            except ValueError as error:
                found = f"ValueError: {error}"
            self.assertEqual(found, size, f"parse_size({text!r})")

    def test_errors(self):
        for text in ["", "K", "m", "1T", "1KM", "-5", "1.5M", "x2M", "GG"]:
            with self.assertRaises(ValueError, msg=f"parse_size({text!r})"):
                parse_size(text)

    def test_fits(self):
        self.assertTrue(fits(1024 ** 3, "1G"))
        self.assertFalse(fits(1024 ** 2 + 1, "1m"))
