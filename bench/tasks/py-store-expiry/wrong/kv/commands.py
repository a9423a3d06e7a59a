"""The text protocol: one command per line, words separated by spaces."""

import math


class Session:
    def __init__(self, store):
        self.store = store

    def execute(self, line):
        """Runs a command and returns its answer, one line without the line end."""
        words = line.split()
        if not words:
            return "ERR empty command"
        handler = getattr(self, "do_" + words[0].lower(), None)
        if handler is None:
            return f"ERR unknown command {words[0]}"
        return handler(words[1:])

    def do_set(self, words):
        if len(words) == 4 and words[2] == "EX":
            if not words[3].isdigit() or int(words[3]) == 0:
                return "ERR bad expiry"
            self.store.set(words[0], words[1], int(words[3]))
            return "OK"
        if len(words) != 2:
            return "ERR usage: SET name value"
        self.store.set(words[0], words[1])
        return "OK"

    def do_ttl(self, words):
        if len(words) != 1:
            return "ERR usage: TTL name"
        if self.store.get(words[0]) is None:
            return "-2"
        left = self.store.seconds_left(words[0])
        return "-1" if left is None else str(math.ceil(left))

    def do_get(self, words):
        if len(words) != 1:
            return "ERR usage: GET name"
        value = self.store.get(words[0])
        return "(none)" if value is None else value

    def do_del(self, words):
        if len(words) != 1:
            return "ERR usage: DEL name"
        return "1" if self.store.delete(words[0]) else "0"

    def do_keys(self, words):
        return " ".join(self.store.keys())
