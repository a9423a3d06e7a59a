import unittest

from kv.commands import Session
from kv.store import Store


class HiddenKvTest(unittest.TestCase):
    def play(self, *steps):
        """Steps are a number (the new time) or a (command, answer) pair."""
        now = [0.0]
        session = Session(Store(clock=lambda: now[0]))
        for step in steps:
            if isinstance(step, tuple):
                self.assertEqual(session.execute(step[0]), step[1], f"{step[0]} at {now[0]} s")
            else:
                now[0] = step

    def test_plain_set_removes_the_expiry(self):
        self.play(("SET a 1 EX 5", "OK"), ("SET a 2", "OK"), ("TTL a", "-1"), 100, ("GET a", "2"))

    def test_new_expiry_replaces_the_old_one(self):
        self.play(("SET a 1 EX 5", "OK"), 4, ("SET a 2 EX 5", "OK"), 6, ("GET a", "2"), ("TTL a", "3"), 9,
                  ("GET a", "(none)"))

    def test_expired_key_for_every_command(self):
        self.play(("SET a 1 EX 5", "OK"), 5, ("DEL a", "0"))
        self.play(("SET a 1 EX 5", "OK"), 5, ("TTL a", "-2"))
        self.play(("SET a 1 EX 5", "OK"), ("SET b 2", "OK"), 5, ("KEYS", "b"))

    def test_delete_forgets_the_expiry(self):
        self.play(("SET a 1 EX 5", "OK"), ("DEL a", "1"), ("TTL a", "-2"), ("SET a 2", "OK"), 9, ("GET a", "2"))

    def test_expired_key_can_be_set_again(self):
        self.play(("SET a 1 EX 5", "OK"), 6, ("SET a 2", "OK"), ("TTL a", "-1"), 20, ("GET a", "2"))

    def test_bad_expiry(self):
        self.play(("SET a 1 EX 0", "ERR bad expiry"), ("SET a 1 EX -3", "ERR bad expiry"),
                  ("SET a 1 EX soon", "ERR bad expiry"), ("GET a", "(none)"), ("KEYS", ""))

    def test_ttl_is_rounded_up(self):
        self.play(("SET a 1 EX 2", "OK"), ("TTL a", "2"), 0.25, ("TTL a", "2"), 1, ("TTL a", "1"), 1.75, ("TTL a", "1"))
