import unittest

from grades import Result, course_grade, summary


class HiddenGradesTest(unittest.TestCase):
    def test_single_result_with_a_weight(self):
        self.assertEqual(course_grade([Result("exam", 64, 5)]), 64.0)

    def test_fractional_weights(self):
        self.assertEqual(course_grade([Result("a", 50, 0.5), Result("b", 100, 1.5)]), 87.5)

    def test_rounding(self):
        self.assertEqual(course_grade([Result("a", 100, 1), Result("b", 50, 2)]), 66.7)

    def test_three_weights(self):
        self.assertEqual(course_grade([Result("a", 10, 1), Result("b", 20, 2), Result("c", 30, 3)]), 23.3)

    def test_summary(self):
        self.assertEqual(summary("Bo", [Result("a", 80, 3), Result("b", 60, 1)]), "Bo: 75.0 (C)")

    def test_empty(self):
        self.assertIsNone(course_grade([]))
