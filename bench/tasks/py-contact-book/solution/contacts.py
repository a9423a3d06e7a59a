"""A contact book in memory."""


class ContactError(Exception):
    pass


class ContactBook:
    """Contacts with a unique name and a phone number. Names are compared without case."""

    def __init__(self):
        self._contacts = {}

    def __len__(self):
        return len(self._contacts)

    def __contains__(self, name):
        return name.casefold() in self._contacts

    def add(self, name, phone):
        if name in self:
            raise ContactError(f"{name} is already in the book")
        self._contacts[name.casefold()] = (name, phone)

    def find(self, name):
        """The phone number, or None."""
        return self._contacts[name.casefold()][1] if name in self else None

    def card(self, name):
        """The contact as text: 'Ada Lovelace: 555-0101'."""
        if name not in self:
            raise ContactError(f"no contact {name}")
        spelling, phone = self._contacts[name.casefold()]
        return f"{spelling}: {phone}"

    def remove(self, name):
        if name not in self:
            raise ContactError(f"no contact {name}")
        del self._contacts[name.casefold()]

    def rename(self, old, new):
        """Changes a name; the phone number stays."""
        if old not in self:
            raise ContactError(f"no contact {old}")
        if new in self and new.casefold() != old.casefold():
            raise ContactError(f"{new} is already in the book")
        _, phone = self._contacts.pop(old.casefold())
        self._contacts[new.casefold()] = (new, phone)

    def names(self):
        """All names in alphabetical order."""
        return sorted(name for name, _ in self._contacts.values())
