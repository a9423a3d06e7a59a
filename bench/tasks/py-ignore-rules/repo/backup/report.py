"""The report that is printed before a backup starts."""

from backup.plan import plan, plan_size


def report(files, ignore_text=""):
    """For example '2 of 5 files, 300 bytes'."""
    selected = plan(files, ignore_text)
    return f"{len(selected)} of {len(files)} files, {plan_size(files, ignore_text)} bytes"


def skipped(files, ignore_text=""):
    """The files that are not in the backup, sorted by path."""
    return sorted(set(files) - set(plan(files, ignore_text)))
