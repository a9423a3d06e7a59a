"""Durations as people read them: 42s, 3m 05s, 1h 05m 09s."""


def format_duration(seconds):
    """A duration in whole seconds as text.

    Leading units that are zero are left out. Minutes and seconds after a larger unit
    always have two digits.
    """
    if seconds < 0:
        return "-" + format_duration(-seconds)
    hours = seconds // 3600
    minutes = seconds // 60 % 60
    rest = seconds % 60
    if hours:
        return f"{hours}h {minutes:02d}m {rest:02d}s"
    if minutes:
        return f"{minutes}m {rest:02d}s"
    return f"{rest}s"


def report_line(name, seconds, width=20):
    """One line of the build report: the step's name, dots and the duration."""
    return name.ljust(width, ".") + " " + format_duration(seconds)
