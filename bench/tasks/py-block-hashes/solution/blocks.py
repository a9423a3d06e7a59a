"""Finds the changed blocks of a file for incremental backups."""

import hashlib


def block_hashes(data, size):
    """The hash of every block of `size` bytes, in order; the last block may be shorter.

    Empty data has no blocks.
    """
    if size < 1:
        raise ValueError("size must be at least 1")
    hashes = []
    for start in range(0, len(data), size):
        block = data[start:start + size]
        hashes.append(hashlib.sha256(block).hexdigest()[:16])
    return hashes


def changed_blocks(old, new):
    """The numbers of the blocks to copy, given the hashes of the old and the new data."""
    changed = []
    for number, digest in enumerate(new):
        if number >= len(old) or old[number] != digest:
            changed.append(number)
    return changed


def backup_size(old_data, new_data, size):
    """How many bytes the next backup copies."""
    numbers = changed_blocks(block_hashes(old_data, size), block_hashes(new_data, size))
    return sum(len(new_data[n * size:(n + 1) * size]) for n in numbers)
