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
    for rule in rules:
        if rule.startswith("!") and fnmatchcase(path, rule[1:]):
            return False
    for rule in rules:
        if fnmatchcase(path, rule):
            return True
    return False
