"""A small reader for INI files: sections, keys and comments."""


class IniError(Exception):
    """A line of the file that cannot be read."""


def parse(text):
    """Reads an INI file into {section: {key: value}}.

    Lines that start with '#' or ';' are comments. Keys before the first section header
    belong to the section "". Spaces around keys and values are removed; a key that is
    given twice keeps its last value.
    """
    settings = {}
    section = ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise IniError(f"line {number}: the section header has no ']'")
            section = line[1:-1].strip()
            settings.setdefault(section, {})
            continue
        if "=" not in line:
            raise IniError(f"line {number}: expected key = value")
        key, _, value = line.rpartition("=")
        if not key.strip():
            raise IniError(f"line {number}: the key is empty")
        settings.setdefault(section, {})[key.strip()] = value.strip()
    return settings


def get(settings, section, key, default=None):
    """The value of a key, or the default."""
    return settings.get(section, {}).get(key, default)
