import unittest

from grades import Result, course_grade, summary


class GradesTest(unittest.TestCase):
    def test_equal_weights(self):
        self.assertEqual(course_grade([Result("quiz", 70), Result("essay", 80)]), 75.0)

    def test_percent_weights(self):
        results = [Result("homework", 90, 20), Result("midterm", 70, 30), Result("final", 80, 50)]
        self.assertEqual(course_grade(results), 79.0)

    def test_weights(self):
        self.assertEqual(course_grade([Result("exam", 80, 3), Result("quiz", 60, 1)]), 75.0)

    def test_summary(self):
        self.assertEqual(summary("Ada", []), "Ada: no results")
        self.assertEqual(summary("Ada", [Result("exam", 95)]), "Ada: 95.0 (A)")


if __name__ == "__main__":
    unittest.main()
