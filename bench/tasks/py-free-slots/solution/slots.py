"""Free time between the meetings of a day. Times are hours, for example 9 or 13.5."""


def free_slots(meetings, opens, closes):
    """The free (start, end) slots between `opens` and `closes`, in order.

    `meetings` is a list of (start, end) pairs in any order, all within the opening
    hours. Meetings may overlap or follow each other directly.
    """
    slots = []
    free_from = opens
    for start, end in sorted(meetings):
        if start > free_from:
            slots.append((free_from, start))
        free_from = max(free_from, end)
    if free_from < closes:
        slots.append((free_from, closes))
    return slots


def first_slot(meetings, opens, closes, hours):
    """The start of the first free slot of at least `hours`, or None."""
    for start, end in free_slots(meetings, opens, closes):
        if end - start >= hours:
            return start
    return None
