import contextlib
import io
import unittest

from expenses.cli import run


def output(*argv):
    """What the program prints, or its error message if it refuses the arguments."""
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors):
            return run(list(argv))
    except SystemExit:
        return errors.getvalue()


class ExpensesTest(unittest.TestCase):
    def test_text(self):
        self.assertEqual(output("--title", "Trip", "Hotel=12000"),
                         "Trip\n====\nHotel           120.00\nTotal           120.00")

    def test_csv(self):
        self.assertEqual(output("--format", "csv", "Taxi=1850"), 'item,cents\n"Taxi",1850')

    def test_json(self):
        self.assertEqual(output("--title", "Trip", "--format", "json", "Hotel=12000"),
                         '{"title": "Trip", "rows": [{"item": "Hotel", "cents": 12000}], "total": 12000}')


if __name__ == "__main__":
    unittest.main()
