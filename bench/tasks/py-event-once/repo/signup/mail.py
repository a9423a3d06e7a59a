"""Outgoing mail. Messages are collected and sent by another process."""


class Outbox:
    def __init__(self):
        self.messages = []

    def welcome(self, data):
        self.messages.append((data["mail"], f"Welcome, {data['name']}!"))

    def recipients(self):
        return sorted({mail for mail, _ in self.messages})
