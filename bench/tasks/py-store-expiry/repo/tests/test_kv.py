import unittest

from kv.commands import Session
from kv.store import Store


class KvTest(unittest.TestCase):
    def setUp(self):
        self.now = 100.0
        self.session = Session(Store(clock=lambda: self.now))

    def expect(self, line, answer):
        self.assertEqual(self.session.execute(line), answer, line)

    def test_set_get_del(self):
        self.expect("SET a 1", "OK")
        self.expect("GET a", "1")
        self.expect("KEYS", "a")
        self.expect("DEL a", "1")
        self.expect("GET a", "(none)")

    def test_expiry(self):
        self.expect("SET a 1 EX 10", "OK")
        self.now = 109.0
        self.expect("GET a", "1")
        self.now = 110.0
        self.expect("GET a", "(none)")
        self.expect("KEYS", "")

    def test_ttl(self):
        self.expect("SET a 1 EX 10", "OK")
        self.expect("SET b 2", "OK")
        self.now = 103.5
        self.expect("TTL a", "7")
        self.expect("TTL b", "-1")
        self.expect("TTL c", "-2")

    def test_errors(self):
        self.expect("", "ERR empty command")
        self.expect("FLY", "ERR unknown command FLY")
        self.expect("SET a", "ERR usage: SET name value")


if __name__ == "__main__":
    unittest.main()
