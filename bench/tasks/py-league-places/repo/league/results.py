"""Results of matches, one per line: 'Ajax 2:1 Bari'."""

import re

RESULT = re.compile(r"(\S+) (\d+):(\d+) (\S+)$")


def read_results(text):
    """The results as (home, goals, goals, away) tuples. Empty lines are skipped."""
    results = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        match = RESULT.match(line.strip())
        if not match:
            raise ValueError(f"line {number}: expected 'Home 2:1 Away'")
        home, first, second, away = match.groups()
        results.append((home, int(first), int(second), away))
    return results
