import unittest

from backup.plan import plan
from backup.report import report, skipped

FILES = {"a.txt": 1, "b.log": 2, "c.log": 4, "src/d.log": 8}


class HiddenBackupTest(unittest.TestCase):
    def test_table(self):
        for rules, expected in [
                ("!b.log\n*.log", ["a.txt"]),
                ("*.log\n!b.log\nb*", ["a.txt"]),
                ("*\n!*.log\nc.log", ["b.log", "src/d.log"]),
                ("*.log\n!src/*", ["a.txt", "src/d.log"]),
                ("*.log\n!*.log\n*.log\n!c.log", ["a.txt", "c.log"]),
                ("!a.txt", ["a.txt", "b.log", "c.log", "src/d.log"]),
                ("a.txt\n!b.log", ["b.log", "c.log", "src/d.log"])]:
            self.assertEqual(plan(FILES, rules), expected, f"rules {rules.split()}")

    def test_report(self):
        self.assertEqual(report(FILES, "*\n!b.log\n!c.log"), "2 of 4 files, 6 bytes")
        self.assertEqual(skipped(FILES, "*.log\n!c.log"), ["b.log", "src/d.log"])
