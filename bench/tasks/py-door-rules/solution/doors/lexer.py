"""Splits a rule file into tokens."""

from dataclasses import dataclass

from doors.errors import RuleError


@dataclass
class Token:
    kind: str   # "word", "number", ";" or "end"
    text: str
    line: int
    column: int


class Lexer:
    """Reads the tokens of a text one after the other."""

    def __init__(self, text):
        self.text = text
        self.position = 0
        self.line = 1
        self.column = 1

    def _peek(self):
        return self.text[self.position] if self.position < len(self.text) else ""

    def _next(self):
        char = self._peek()
        self.position += 1
        self.column += 1
        if char == "\n":
            self.line += 1
            self.column = 1
        return char

    def _skip_blanks(self):
        while self._peek() and (self._peek().isspace() or self._peek() == "#"):
            if self._next() == "#":
                while self._peek() not in ("", "\n"):
                    self._next()

    def _take(self, wanted):
        text = ""
        while self._peek() and wanted(self._peek()):
            text += self._next()
        return text

    def token(self):
        """The next token; at the end of the text a token of the kind "end"."""
        self._skip_blanks()
        line, column, char = self.line, self.column, self._peek()
        if not char:
            return Token("end", "", line, column)
        if char == ";":
            return Token(";", self._next(), line, column)
        if char.isdigit():
            return Token("number", self._take(str.isdigit), line, column)
        if char.isalpha():
            return Token("word", self._take(str.isalnum), line, column)
        raise RuleError(line, column, f"unexpected character {char!r}")
