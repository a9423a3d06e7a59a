"""An index from tags to the titles of notes."""


def build_index(notes, tags):
    """Maps every known tag to the titles of its notes, in the order of `notes`.

    `notes` is a list of (title, tags of the note). Every tag in `tags` is a key of the
    result, also if no note has it. Tags that are not in `tags` are ignored.
    """
    index = {tag: [] for tag in tags}
    for title, note_tags in notes:
        for tag in note_tags:
            if tag in tags:
                index[tag].append(title)
    return index


def overview(notes, tags):
    """The overview page: one line per tag, with the number of notes and their titles."""
    lines = []
    for tag, titles in sorted(build_index(notes, tags).items()):
        lines.append(f"{tag} ({len(titles)}): {', '.join(titles)}".rstrip(": "))
    return "\n".join(lines)
