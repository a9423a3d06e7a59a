"""Connects the handlers to the bus."""

from signup.audit import AuditLog
from signup.mail import Outbox


def wire(bus):
    """Subscribes the welcome mail (for the first signup only) and the audit log."""
    outbox, audit = Outbox(), AuditLog()
    bus.once("signup", outbox.welcome)
    bus.subscribe("signup", audit.record)
    return outbox, audit
