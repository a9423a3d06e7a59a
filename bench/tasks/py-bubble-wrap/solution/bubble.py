"""Speech bubbles for a chat in the terminal."""


def wrap(text, width):
    """The lines of a message, none of them longer than `width` characters.

    Lines break between words. A word that is longer than `width` starts on a new line
    and is split into pieces of `width` characters; after its last piece, the line goes
    on as usual. A text without words gives no lines.
    """
    if width < 1:
        raise ValueError("width must be at least 1")
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        while len(word) > width:
            lines.append(word[:width])
            word = word[width:]
        line = f"{line} {word}" if line else word
    if line:
        lines.append(line)
    return lines


def bubble(text, width=30):
    """The message in a frame."""
    lines = wrap(text, width) or [""]
    inner = max(len(line) for line in lines)
    edge = "+" + "-" * (inner + 2) + "+"
    return "\n".join([edge] + [f"| {line.ljust(inner)} |" for line in lines] + [edge])
