"""Python client (SDK) for the Gamekeeper API, for websites, bots and game servers."""

from gamekeeper_client import moves, records
from gamekeeper_client.clients import AsyncGamekeeper, Gamekeeper, password_hash
from gamekeeper_client.errors import EventsExpired, Fenced, GamekeeperError, Refused, Unreachable
from gamekeeper_client.game_servers import AsyncGameServer, GameServer
from gamekeeper_client.retries import RetryPolicy

__all__ = [
    "AsyncGameServer",
    "AsyncGamekeeper",
    "EventsExpired",
    "Fenced",
    "GameServer",
    "Gamekeeper",
    "GamekeeperError",
    "Refused",
    "RetryPolicy",
    "Unreachable",
    "moves",
    "password_hash",
    "records",
]
