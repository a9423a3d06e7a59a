import unittest

from duration import format_duration, report_line


class DurationTest(unittest.TestCase):
    def test_seconds(self):
        self.assertEqual(format_duration(42), "42s")

    def test_minutes(self):
        self.assertEqual(format_duration(185), "3m 05s")

    def test_hours(self):
        self.assertEqual(format_duration(3909), "1h 05m 09s")

    def test_report_line(self):
        self.assertEqual(report_line("link", 61, width=8), "link.... 1m 01s")


if __name__ == "__main__":
    unittest.main()
