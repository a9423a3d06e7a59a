import unittest

from logs import files_to_delete

MAY = [f"app-2024-05-0{day}.log" for day in range(1, 7)]


class HiddenLogsTest(unittest.TestCase):
    def test_every_keep(self):
        for keep in range(0, 9):
            expected = MAY[:max(0, 6 - keep)][::-1]
            self.assertEqual(files_to_delete(MAY, keep), expected, f"keep={keep}")

    def test_order_of_input_does_not_matter(self):
        self.assertEqual(files_to_delete([MAY[2], MAY[5], MAY[0]], 2), [MAY[0]])

    def test_years(self):
        names = ["app-2024-01-01.log", "app-2023-12-31.log", "README"]
        self.assertEqual(files_to_delete(names, 1), ["app-2023-12-31.log"])

    def test_nothing(self):
        self.assertEqual(files_to_delete([], 3), [])
