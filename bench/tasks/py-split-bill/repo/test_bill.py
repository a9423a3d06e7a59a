import unittest

from bill import bill_lines, split_cents, with_tip


class BillTest(unittest.TestCase):
    def test_even(self):
        self.assertEqual(split_cents(900, 3), [300, 300, 300])

    def test_one_cent_left(self):
        self.assertEqual(split_cents(1000, 3), [334, 333, 333])

    def test_errors(self):
        for total, people in [(100, 0), (-1, 2)]:
            with self.assertRaises(ValueError, msg=f"split_cents({total}, {people})"):
                split_cents(total, people)

    def test_tip(self):
        self.assertEqual(with_tip(999, 10), 1099)

    def test_lines(self):
        self.assertEqual(bill_lines(["Ada", "Bob"], 2001), ["Ada: 10.01", "Bob: 10.00"])


if __name__ == "__main__":
    unittest.main()
