"""A contact book in memory."""


class ContactError(Exception):
    pass


class ContactBook:
    """Contacts with a unique name and a phone number."""

    def __init__(self):
        self._phones = {}

    def __len__(self):
        return len(self._phones)

    def __contains__(self, name):
        return name in self._phones

    def add(self, name, phone):
        if name in self._phones:
            raise ContactError(f"{name} is already in the book")
        self._phones[name] = phone

    def find(self, name):
        """The phone number, or None."""
        return self._phones.get(name)

    def card(self, name):
        """The contact as text: 'Ada Lovelace: 555-0101'."""
        if name not in self._phones:
            raise ContactError(f"no contact {name}")
        return f"{name}: {self._phones[name]}"

    def remove(self, name):
        if name not in self._phones:
            raise ContactError(f"no contact {name}")
        del self._phones[name]

    def rename(self, old, new):
        """Changes a name; the phone number stays."""
        if old not in self._phones:
            raise ContactError(f"no contact {old}")
        if new in self._phones and new != old:
            raise ContactError(f"{new} is already in the book")
        self._phones[new] = self._phones.pop(old)

    def names(self):
        """All names in alphabetical order."""
        return sorted(self._phones)
