import unittest

from schedule import ScheduleError, expand, next_minute


def result(field, low, high):
    try:
        return expand(field, low, high)
    except ScheduleError as error:
        return f"ScheduleError: {error}"


class ScheduleTest(unittest.TestCase):
    def test_without_steps(self):
        self.assertEqual(result("1,3,10-12", 0, 23), [1, 3, 10, 11, 12])
        self.assertEqual(result("*", 1, 7), [1, 2, 3, 4, 5, 6, 7])

    def test_step_of_all(self):
        self.assertEqual(result("*/15", 0, 59), [0, 15, 30, 45])

    def test_step_of_a_range(self):
        self.assertEqual(result("10-20/5", 0, 59), [10, 15, 20])

    def test_errors(self):
        for field in ("", "60", "a", "5-1", "1-", "*/x"):
            with self.assertRaises(ScheduleError, msg=field):
                expand(field, 0, 59)

    def test_next_minute(self):
        self.assertEqual(next_minute("10,40", 15), 40)
        self.assertEqual(next_minute("10,40", 40), 10)


if __name__ == "__main__":
    unittest.main()
