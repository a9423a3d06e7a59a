import unittest

from signup import wire
from signup.bus import EventBus

ADA = {"name": "Ada", "mail": "ada@example.org"}
BOB = {"name": "Bob", "mail": "bob@example.org"}


class SignupTest(unittest.TestCase):
    def test_audit_log_is_complete(self):
        bus = EventBus()
        _, audit = wire(bus)
        bus.publish("signup", ADA)
        bus.publish("signup", BOB)
        self.assertEqual(audit.lines, ["1 signup Ada", "2 signup Bob"])

    def test_welcome_mail_is_sent_once(self):
        bus = EventBus()
        outbox, _ = wire(bus)
        bus.publish("signup", ADA)
        bus.publish("signup", BOB)
        self.assertEqual(outbox.messages, [("ada@example.org", "Welcome, Ada!")])

    def test_publish_without_handlers(self):
        self.assertEqual(EventBus().publish("signup", ADA), 0)


if __name__ == "__main__":
    unittest.main()
