"""Fields of a job schedule, such as the minutes or the days of a month."""


class ScheduleError(Exception):
    """A field that cannot be read."""


def number(text, low, high):
    """A whole number between `low` and `high`."""
    if not text.isdigit() or not low <= int(text) <= high:
        raise ScheduleError(f"expected a number from {low} to {high}, got {text!r}")
    return int(text)


def expand(field, low, high):
    """The numbers that a field selects, sorted, each of them once.

    A field is a comma-separated list of parts: '*' (all numbers from `low` to `high`),
    a number, or a range 'a-b'. After '*' or a range, '/n' selects only every n-th number
    of it, beginning with the first one; n is at least 1. Raises ScheduleError for
    anything else.
    """
    selected = set()
    for part in field.split(","):
        base, slash, step = part.partition("/")
        if base == "*":
            first, last = low, high
        elif "-" in base:
            left, _, right = base.partition("-")
            first, last = number(left, low, high), number(right, low, high)
            if first > last:
                raise ScheduleError(f"the range {part!r} is empty")
        elif slash:
            raise ScheduleError(f"a step needs '*' or a range, got {part!r}")
        else:
            first = last = number(base, low, high)
        if slash and (not step.isdigit() or int(step) < 1):
            raise ScheduleError(f"bad step in {part!r}")
        selected.update(range(first, last + 1, int(step) if slash else 1))
    return sorted(selected)


def next_minute(field, now):
    """The first selected minute after the minute `now`; it may be in the next hour."""
    minutes = expand(field, 0, 59)
    later = [minute for minute in minutes if minute > now]
    return later[0] if later else minutes[0]
