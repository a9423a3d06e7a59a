"""The audit log: a list of lines, one per event."""


class AuditLog:
    def __init__(self):
        self.lines = []

    def record(self, data):
        self.lines.append(f"{len(self.lines) + 1} signup {data['name']}")

    def text(self):
        return "\n".join(self.lines)
