import unittest
from itertools import combinations

from slots import first_slot, free_slots


def slow_slots(meetings, opens, closes):
    hours = [h for h in range(opens, closes) if not any(s <= h < e for s, e in meetings)]
    slots = []
    for hour in hours:
        if slots and slots[-1][1] == hour:
            slots[-1] = (slots[-1][0], hour + 1)
        else:
            slots.append((hour, hour + 1))
    return slots


class HiddenSlotsTest(unittest.TestCase):
    def test_all_pairs_and_triples(self):
        meetings = [(s, e) for s in range(8, 13) for e in range(s + 1, 14)]
        for count in (1, 2, 3):
            for chosen in combinations(reversed(meetings), count):
                self.assertEqual(free_slots(list(chosen), 8, 13), slow_slots(chosen, 8, 13), f"meetings {chosen}")

    def test_full_day(self):
        self.assertEqual(free_slots([(8, 18)], 8, 18), [])

    def test_input_is_not_changed(self):
        meetings = [(12, 13), (9, 10)]
        free_slots(meetings, 8, 18)
        self.assertEqual(meetings, [(12, 13), (9, 10)])

    def test_first_slot(self):
        self.assertIsNone(first_slot([(8, 17)], 8, 18, hours=2))
        self.assertEqual(first_slot([(8, 17)], 8, 18, hours=1), 17)
