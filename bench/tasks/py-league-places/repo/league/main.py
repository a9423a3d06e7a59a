"""Reads results from standard input and prints the table."""

import sys

from league.results import read_results
from league.table import standings


def format_table(rows):
    """One line per team: place, name, goals and points."""
    lines = []
    for place, team in rows:
        goals = f"{team.scored}:{team.conceded}"
        lines.append(f"{place:>2}. {team.name:<10}{goals:>6}{team.points:>4}")
    return "\n".join(lines)


def main():
    print(format_table(standings(read_results(sys.stdin.read()))))


if __name__ == "__main__":
    main()
