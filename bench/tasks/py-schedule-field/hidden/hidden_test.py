import unittest

from schedule import ScheduleError, expand, next_minute


class HiddenScheduleTest(unittest.TestCase):
    def test_table(self):
        for field, low, high, expected in [
                ("*/2", 1, 7, [1, 3, 5, 7]), ("*/10", 1, 31, [1, 11, 21, 31]), ("*/1", 0, 3, [0, 1, 2, 3]),
                ("*/100", 0, 59, [0]), ("2-9/3", 0, 59, [2, 5, 8]), ("3-3/2", 0, 9, [3]),
                ("0-6/3,*/4,9", 0, 9, [0, 3, 4, 6, 8, 9]), ("7,1-3", 0, 9, [1, 2, 3, 7])]:
            try:
                found = expand(field, low, high)
            except ScheduleError as error:
                found = f"ScheduleError: {error}"
            self.assertEqual(found, expected, f"expand({field!r}, {low}, {high})")

    def test_errors(self):
        for field in ("*/0", "*/", "*/-1", "1-5/0", "1-5/", "9-2/2", "*/2/3", "/5", "1,,2", "1-70/2"):
            with self.assertRaises(ScheduleError, msg=field):
                expand(field, 0, 59)

    def test_next_minute(self):
        self.assertEqual(next_minute("*/20", 25), 40)
        self.assertEqual(next_minute("*/20", 40), 0)
