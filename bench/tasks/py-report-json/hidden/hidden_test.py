import contextlib
import io
import json
import unittest

from expenses.cli import run


def output(*argv):
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors):
            return run(list(argv))
    except SystemExit:
        return errors.getvalue()


class HiddenExpensesTest(unittest.TestCase):
    def report(self, *argv):
        text = output("--format", "json", *argv)
        self.assertNotIn("\n", text.rstrip("\n"))
        try:
            return json.loads(text)
        except ValueError:
            self.fail(f"expected JSON, got {text!r}")

    def test_several_rows(self):
        self.assertEqual(self.report("Taxi=1850", "Hotel=12000", "Tip=0"),
                         {"title": "Expenses", "total": 13850,
                          "rows": [{"item": "Taxi", "cents": 1850}, {"item": "Hotel", "cents": 12000},
                                   {"item": "Tip", "cents": 0}]})

    def test_no_rows(self):
        self.assertEqual(self.report("--title", "None"), {"title": "None", "rows": [], "total": 0})

    def test_quotes(self):
        self.assertEqual(self.report("--title", 'The "big" trip', 'Bar "Zoe"=5'),
                         {"title": 'The "big" trip', "rows": [{"item": 'Bar "Zoe"', "cents": 5}], "total": 5})

    def test_same_item_twice(self):
        self.assertEqual(len(self.report("Taxi=1", "Taxi=2")["rows"]), 2)

    def test_other_formats(self):
        self.assertEqual(output("--format", "csv", 'a"b=1', "c=2"), 'item,cents\n"a""b",1\n"c",2')
        self.assertIn("invalid choice", output("--format", "xml"))
