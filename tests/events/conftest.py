"""Events are tried on `gamekeeper serve` as a process of its own, one for each file."""

from tests.own_server import client, database, key, log, settings, url

__all__ = ["client", "database", "key", "log", "settings", "url"]
