"""Errors in rule files."""


class RuleError(Exception):
    """An error at a position of the rule file."""

    def __init__(self, line, column, message):
        super().__init__(f"{line}:{column}: {message}")
        self.line = line
        self.column = column
