import unittest

from league.main import format_table
from league.results import read_results
from league.table import standings


def places(text):
    return [(place, team.name) for place, team in standings(read_results(text))]


class LeagueTest(unittest.TestCase):
    def test_clear_order(self):
        self.assertEqual(places("Ajax 3:0 Bari\nBari 1:0 Celtic\nAjax 1:0 Celtic"),
                         [(1, "Ajax"), (2, "Bari"), (3, "Celtic")])

    def test_team_after_a_shared_place(self):
        self.assertEqual(places("Ajax 2:0 Celtic\nBari 2:0 Dukla\nDukla 1:0 Celtic"),
                         [(1, "Ajax"), (1, "Bari"), (3, "Dukla"), (4, "Celtic")])

    def test_format(self):
        self.assertEqual(format_table(standings([("Ajax", 2, 1, "Bari")])),
                         " 1. Ajax         2:1   3\n 2. Bari         1:2   0")

    def test_bad_line(self):
        with self.assertRaisesRegex(ValueError, "line 2"):
            read_results("Ajax 2:1 Bari\nAjax beats Bari")


if __name__ == "__main__":
    unittest.main()
