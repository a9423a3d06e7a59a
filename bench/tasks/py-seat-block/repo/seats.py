"""Free seats in the rows of a theatre. A row is text: '.' is a free seat, 'x' is taken."""


def find_block(row, count):
    """The index of the first of `count` free seats side by side, or None.

    If there are several such blocks, the leftmost one is returned.
    """
    if count < 1:
        raise ValueError("count must be at least 1")
    run = 0
    for index, seat in enumerate(row):
        if seat == ".":
            run += 1
        if run == count:
            return index - count + 1
    return None


def book(rows, count):
    """Books a block in the first row that has one.

    Returns (row number, first seat, new rows), or None if no row has a block.
    """
    for number, row in enumerate(rows):
        start = find_block(row, count)
        if start is not None:
            changed = row[:start] + "x" * count + row[start + count:]
            return number, start, rows[:number] + [changed] + rows[number + 1:]
    return None
