"""The output formats of a report. Rows are (item, cents) pairs."""


def euros(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def render_text(title, rows):
    lines = [title, "=" * len(title)]
    for item, cents in rows:
        lines.append(f"{item:<12}{euros(cents):>10}")
    lines.append(f"{'Total':<12}{euros(sum(cents for _, cents in rows)):>10}")
    return "\n".join(lines)


def render_csv(title, rows):
    lines = ["item,cents"]
    for item, cents in rows:
        quoted = '"' + item.replace('"', '""') + '"'
        lines.append(f"{quoted},{cents}")
    return "\n".join(lines)
