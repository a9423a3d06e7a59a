"""The backup plan."""

from backup.rules import is_ignored, read_rules


def plan(files, ignore_text=""):
    """The files to back up, sorted by path. `files` maps paths to sizes in bytes."""
    rules = read_rules(ignore_text)
    return sorted(path for path in files if not is_ignored(path, rules))


def plan_size(files, ignore_text=""):
    """The size of the backup in bytes."""
    return sum(files[path] for path in plan(files, ignore_text))
