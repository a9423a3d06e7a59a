import unittest

from backup.plan import plan
from backup.report import report

FILES = {"a.txt": 10, "debug.log": 500, "important.log": 20}


class BackupTest(unittest.TestCase):
    def test_no_rules(self):
        self.assertEqual(plan(FILES), ["a.txt", "debug.log", "important.log"])

    def test_pattern(self):
        self.assertEqual(plan(FILES, "# logs\n*.log\n"), ["a.txt"])

    def test_exception(self):
        self.assertEqual(plan(FILES, "*.log\n!important.log\n"), ["a.txt", "important.log"])

    def test_report(self):
        self.assertEqual(report(FILES, "*.log\n!important.log\n"), "2 of 3 files, 30 bytes")


if __name__ == "__main__":
    unittest.main()
