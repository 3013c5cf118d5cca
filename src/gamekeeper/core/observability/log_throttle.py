"""A throttle for log events that repeat while a fault lasts."""

from time import monotonic

LOG_SECONDS = 30


class LogThrottle:
    """Lets an event through when it is new, and every 30 seconds while it repeats."""

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def is_due(self, event: str) -> bool:
        now = monotonic()
        if event in self._logged and now - self._logged[event] < LOG_SECONDS:
            return False
        # What is older would be due again anyway.
        self._logged = {event: at for event, at in self._logged.items() if now - at < LOG_SECONDS}
        self._logged[event] = now
        return True

    def clear(self) -> None:
        """Forget what was logged: the fault is over, and the next one is new."""
        self._logged.clear()
