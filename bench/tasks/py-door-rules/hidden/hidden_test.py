import unittest

from doors.errors import RuleError
from doors.lexer import Lexer
from doors.parser import parse


class HiddenDoorsTest(unittest.TestCase):
    def test_positions_of_all_tokens(self):
        lexer = Lexer("deny a;\n\n  allow b # x\n 8 9 ;\n")
        found = []
        while True:
            token = lexer.token()
            found.append((token.text, token.line, token.column))
            if token.kind == "end":
                break
        self.assertEqual(found, [("deny", 1, 1), ("a", 1, 6), (";", 1, 7), ("allow", 3, 3), ("b", 3, 9),
                                 ("8", 4, 2), ("9", 4, 4), (";", 4, 6), ("", 5, 1)])

    def test_errors(self):
        for text, message in [("deny a;\nopen b;", "2:1: expected allow or deny, got open"),
                              ("\n\n\n   7", "4:4: expected word, got '7'"),
                              ("allow\n  anna\n  8;", "3:4: expected number, got ';'"),
                              ("# a\n# b\n!", "3:1: unexpected character '!'"),
                              ("deny a", "1:7: expected ;, got 'end'")]:
            with self.assertRaises(RuleError) as caught:
                parse(text)
            self.assertEqual(str(caught.exception), message, f"parse({text!r})")
