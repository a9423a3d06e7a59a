import unittest

from duration import format_duration, report_line


class HiddenDurationTest(unittest.TestCase):
    def test_table(self):
        for seconds, text in [(0, "0s"), (59, "59s"), (60, "1m 00s"), (3599, "59m 59s"),
                              (3600, "1h 00m 00s"), (3661, "1h 01m 01s"), (7199, "1h 59m 59s"),
                              (7325, "2h 02m 05s"), (90061, "25h 01m 01s"), (-3909, "-1h 05m 09s")]:
            self.assertEqual(format_duration(seconds), text, f"format_duration({seconds})")

    def test_report_line(self):
        self.assertEqual(report_line("test", 10800, width=6), "test.. 3h 00m 00s")
