"""A synchronous event bus."""


class EventBus:
    """Calls the handlers of an event in the order in which they subscribed."""

    def __init__(self):
        self._handlers = {}

    def subscribe(self, event, handler):
        self._handlers.setdefault(event, []).append(handler)

    def unsubscribe(self, event, handler):
        """Removes the handler; does nothing if it is not subscribed."""
        handlers = self._handlers.get(event, [])
        if handler in handlers:
            handlers.remove(handler)

    def once(self, event, handler):
        """Subscribes a handler that is called for the next event only."""
        def one_time(data):
            self.unsubscribe(event, one_time)
            handler(data)
        self.subscribe(event, one_time)

    def publish(self, event, data):
        """Calls all handlers of the event; returns how many were called."""
        called = 0
        for handler in reversed(self._handlers.get(event, [])):
            handler(data)
            called += 1
        return called
