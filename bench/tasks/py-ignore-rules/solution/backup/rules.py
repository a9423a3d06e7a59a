"""The rules of the ignore file."""

from fnmatch import fnmatchcase


def read_rules(text):
    """The rules of an ignore file, in order."""
    rules = []
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            rules.append(line)
    return rules


def is_ignored(path, rules):
    """True if the rules exclude the path from the backup."""
    ignored = False
    for rule in rules:
        if rule.startswith("!"):
            if fnmatchcase(path, rule[1:]):
                ignored = False
        elif fnmatchcase(path, rule):
            ignored = True
    return ignored
