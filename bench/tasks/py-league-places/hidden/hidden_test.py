import unittest

from league.results import read_results
from league.table import standings


def places(text):
    return [(place, team.name) for place, team in standings(read_results(text))]


class HiddenLeagueTest(unittest.TestCase):
    def test_three_share_the_first_place(self):
        self.assertEqual(places("A 1:0 X\nB 1:0 Y\nC 1:0 Z\nX 1:1 Y"),
                         [(1, "A"), (1, "B"), (1, "C"), (4, "X"), (4, "Y"), (6, "Z")])

    def test_shared_last_place(self):
        self.assertEqual(places("A 2:0 B\nA 2:0 C"), [(1, "A"), (2, "B"), (2, "C")])

    def test_shared_place_in_the_middle(self):
        self.assertEqual(places("A 3:0 D\nB 1:1 C\nE 0:5 A"),
                         [(1, "A"), (2, "B"), (2, "C"), (4, "D"), (5, "E")])

    def test_goals_break_ties(self):
        self.assertEqual(places("A 2:1 X\nB 1:0 Y"), [(1, "A"), (2, "B"), (3, "X"), (4, "Y")])

    def test_nothing(self):
        self.assertEqual(places(""), [])
