import unittest

from sizes import fits, parse_size


class SizesTest(unittest.TestCase):
    def parse(self, text):
        try:
            return parse_size(text)
        except ValueError as error:
            return f"ValueError: {error}"

    def test_bytes(self):
        self.assertEqual(self.parse("512"), 512)

    def test_kilobytes(self):
        self.assertEqual(self.parse("4K"), 4096)

    def test_megabytes(self):
        self.assertEqual(self.parse("2M"), 2097152)

    def test_lower_case(self):
        self.assertEqual(self.parse("4k"), 4096)

    def test_garbage(self):
        with self.assertRaises(ValueError):
            parse_size("many")

    def test_fits(self):
        self.assertTrue(fits(4096, "4K"))
        self.assertFalse(fits(4097, "4K"))


if __name__ == "__main__":
    unittest.main()
