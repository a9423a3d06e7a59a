import unittest

from bill import bill_lines, split_cents


class HiddenBillTest(unittest.TestCase):
    def test_all_small_bills(self):
        for total in range(0, 60):
            for people in range(1, 9):
                shares = split_cents(total, people)
                call = f"split_cents({total}, {people}) = {shares}"
                self.assertEqual(len(shares), people, call)
                self.assertEqual(sum(shares), total, call)
                self.assertLessEqual(max(shares) - min(shares), 1, call)
                self.assertEqual(list(shares), sorted(shares, reverse=True), call)
                self.assertTrue(all(isinstance(share, int) for share in shares), call)

    def test_large_total(self):
        self.assertEqual(split_cents(10 ** 17 + 1, 2), [5 * 10 ** 16 + 1, 5 * 10 ** 16])

    def test_errors(self):
        for total, people in [(0, 0), (5, -1), (-5, 1)]:
            with self.assertRaises(ValueError, msg=f"split_cents({total}, {people})"):
                split_cents(total, people)

    def test_lines(self):
        self.assertEqual(bill_lines(["A", "B", "C"], 500, percent=10), ["A: 1.84", "B: 1.83", "C: 1.83"])
