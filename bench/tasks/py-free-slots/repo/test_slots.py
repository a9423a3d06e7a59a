import unittest

from slots import first_slot, free_slots


class SlotsTest(unittest.TestCase):
    def test_between_meetings(self):
        self.assertEqual(free_slots([(8, 10), (12, 18)], 8, 18), [(10, 12)])

    def test_end_of_the_day(self):
        self.assertEqual(free_slots([(9, 10), (13, 14)], 8, 18), [(8, 9), (10, 13), (14, 18)])

    def test_day_without_meetings(self):
        self.assertEqual(free_slots([], 8, 18), [(8, 18)])

    def test_meeting_inside_another(self):
        self.assertEqual(free_slots([(9, 15), (10, 11), (16, 18)], 8, 18), [(8, 9), (15, 16)])

    def test_first_slot(self):
        self.assertEqual(first_slot([(8, 9), (10, 12)], 8, 18, hours=2), 12)


if __name__ == "__main__":
    unittest.main()
