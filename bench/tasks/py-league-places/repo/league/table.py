"""The table of a league."""


class Team:
    """A team's record."""

    def __init__(self, name):
        self.name = name
        self.points = 0
        self.scored = 0
        self.conceded = 0

    def play(self, scored, conceded):
        self.scored += scored
        self.conceded += conceded
        if scored > conceded:
            self.points += 3
        elif scored == conceded:
            self.points += 1

    def strength(self):
        """Teams with equal strength share a place; the larger one is better."""
        return self.points, self.scored - self.conceded, self.scored


def standings(results):
    """(place, team) pairs, the best team first; equal teams are sorted by name."""
    teams = {}
    for home, first, second, away in results:
        teams.setdefault(home, Team(home)).play(first, second)
        teams.setdefault(away, Team(away)).play(second, first)
    ordered = sorted(teams.values(), key=lambda team: team.name)
    ordered.sort(key=Team.strength, reverse=True)

    rows = []
    place = 0
    previous = None
    for index, team in enumerate(ordered):
        if previous is None or team.strength() != previous.strength():
            place += 1
        rows.append((place, team))
        previous = team
    return rows
