import unittest

from logs import files_to_delete, log_date

MAY = [f"app-2024-05-0{day}.log" for day in range(1, 7)]


class LogsTest(unittest.TestCase):
    def test_log_date(self):
        self.assertEqual(log_date("app-2024-05-01.log"), "2024-05-01")
        self.assertIsNone(log_date("notes.txt"))

    def test_the_oldest_logs_are_deleted(self):
        self.assertEqual(files_to_delete(MAY, 3),
                         ["app-2024-05-03.log", "app-2024-05-02.log", "app-2024-05-01.log"])

    def test_other_files_stay(self):
        self.assertEqual(files_to_delete(["notes.txt", MAY[1], MAY[0]], 1), [MAY[0]])


if __name__ == "__main__":
    unittest.main()
