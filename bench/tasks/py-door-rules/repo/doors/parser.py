"""Turns the tokens of a rule file into rules."""

from dataclasses import dataclass

from doors.errors import RuleError
from doors.lexer import Lexer


@dataclass
class Rule:
    allow: bool
    person: str
    first_hour: int = 0
    last_hour: int = 23


def _expect(token, kind):
    if token.kind != kind:
        raise RuleError(token.line, token.column, f"expected {kind}, got {token.text or token.kind!r}")
    return token


def _rule(lexer, first):
    if _expect(first, "word").text not in ("allow", "deny"):
        raise RuleError(first.line, first.column, f"expected allow or deny, got {first.text}")
    person = _expect(lexer.token(), "word").text
    rule = Rule(first.text == "allow", person)
    token = lexer.token()
    if token.kind == "number":
        rule.first_hour = int(token.text)
        rule.last_hour = int(_expect(lexer.token(), "number").text)
        token = lexer.token()
    _expect(token, ";")
    return rule


def parse(text):
    """The rules of a file, in order."""
    lexer = Lexer(text)
    rules = []
    token = lexer.token()
    while token.kind != "end":
        rules.append(_rule(lexer, token))
        token = lexer.token()
    return rules
