"""A contact book in memory."""


class ContactError(Exception):
    pass


class ContactBook:
    """Contacts with a unique name and a phone number."""

    def __init__(self):
        self._phones = {}

    def __len__(self):
        return len(self._phones)

    def _spelling(self, name):
        for known in self._phones:
            if known.lower() == name.lower():
                return known
        return None

    def __contains__(self, name):
        return self._spelling(name) is not None

    def add(self, name, phone):
        if name in self:
            raise ContactError(f"{name} is already in the book")
        self._phones[name] = phone

    def find(self, name):
        """The phone number, or None."""
        return self._phones.get(self._spelling(name))

    def card(self, name):
        """The contact as text: 'Ada Lovelace: 555-0101'."""
        known = self._spelling(name)
        if known is None:
            raise ContactError(f"no contact {name}")
        return f"{known}: {self._phones[known]}"

    def remove(self, name):
        if name not in self._phones:
            raise ContactError(f"no contact {name}")
        del self._phones[name]

    def rename(self, old, new):
        """Changes a name; the phone number stays."""
        if old not in self:
            raise ContactError(f"no contact {old}")
        if new in self:
            raise ContactError(f"{new} is already in the book")
        self._phones[new] = self._phones.pop(self._spelling(old))

    def names(self):
        """All names in alphabetical order."""
        return sorted(self._phones)
