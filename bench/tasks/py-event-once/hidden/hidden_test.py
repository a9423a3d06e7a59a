import unittest

from signup import wire
from signup.bus import EventBus


class HiddenBusTest(unittest.TestCase):
    def setUp(self):
        self.bus = EventBus()
        self.calls = []

    def add(self, name, once=False):
        (self.bus.once if once else self.bus.subscribe)("e", lambda data: self.calls.append(name + data))

    def test_order_is_kept(self):
        for name in "abc":
            self.add(name)
        self.assertEqual(self.bus.publish("e", "1"), 3)
        self.assertEqual(self.calls, ["a1", "b1", "c1"])

    def test_several_one_time_handlers(self):
        self.add("a", once=True)
        self.add("b", once=True)
        self.add("c")
        self.add("d", once=True)
        self.assertEqual(self.bus.publish("e", "1"), 4)
        self.assertEqual(self.bus.publish("e", "2"), 1)
        self.assertEqual(self.calls, ["a1", "b1", "c1", "d1", "c2"])

    def test_unsubscribe(self):
        handler = self.calls.append
        self.bus.subscribe("e", handler)
        self.bus.unsubscribe("e", handler)
        self.bus.unsubscribe("e", handler)
        self.assertEqual(self.bus.publish("e", "1"), 0)

    def test_wiring(self):
        outbox, audit = wire(self.bus)
        self.assertEqual(self.bus.publish("signup", {"name": "Eve", "mail": "e@example.org"}), 2)
        self.assertEqual(audit.lines, ["1 signup Eve"])
        self.assertEqual(len(outbox.messages), 1)
