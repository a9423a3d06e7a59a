import unittest

from doors.errors import RuleError
from doors.parser import Rule, parse


def error_of(text):
    try:
        return f"no error, but {parse(text)}"
    except RuleError as error:
        return str(error)


class DoorsTest(unittest.TestCase):
    def test_rules(self):
        self.assertEqual(parse("# early\nallow anna 6 17;\ndeny bob;\n"),
                         [Rule(True, "anna", 6, 17), Rule(False, "bob")])

    def test_error_on_the_first_line(self):
        self.assertEqual(error_of("open anna;"), "1:1: expected allow or deny, got open")

    def test_error_on_the_second_line(self):
        self.assertEqual(error_of("allow anna 8 17;\ndeny ?;\n"), "2:6: unexpected character '?'")


if __name__ == "__main__":
    unittest.main()
