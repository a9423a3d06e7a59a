"""Selects old log files for deletion. Log names look like app-2024-05-01.log."""

import re

LOG_NAME = re.compile(r"app-(\d{4}-\d{2}-\d{2})\.log$")


def log_date(name):
    """The date in a log file's name, or None if it is not a log file."""
    match = LOG_NAME.match(name)
    return match.group(1) if match else None


def files_to_delete(names, keep):
    """The log files that are deleted so that the `keep` newest ones stay.

    Other files are never deleted. The result starts with the newest deleted file.
    """
    if keep < 0:
        raise ValueError("keep must not be negative")
    logs = [name for name in names if log_date(name)]
    newest_first = sorted(logs, key=log_date, reverse=True)
    return newest_first[:keep]
