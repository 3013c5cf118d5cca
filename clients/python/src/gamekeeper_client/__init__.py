"""Python client (SDK) for the Gamekeeper API, for websites, bots and game servers."""

from gamekeeper_client import moves, records
from gamekeeper_client.clients import AsyncGamekeeper, Gamekeeper, password_hash
from gamekeeper_client.errors import (
    APIError,
    BadRequest,
    Conflict,
    EventsExpired,
    Fenced,
    Forbidden,
    GamekeeperError,
    Gone,
    NotFound,
    PayloadTooLarge,
    RateLimited,
    ServerError,
    Unauthorized,
    Unavailable,
    Unreachable,
    WebhookVerificationError,
)
from gamekeeper_client.game_servers import AsyncGameServer, GameServer
from gamekeeper_client.retries import RetryPolicy

__all__ = [
    "APIError",
    "AsyncGameServer",
    "AsyncGamekeeper",
    "BadRequest",
    "Conflict",
    "EventsExpired",
    "Fenced",
    "Forbidden",
    "GameServer",
    "Gamekeeper",
    "GamekeeperError",
    "Gone",
    "NotFound",
    "PayloadTooLarge",
    "RateLimited",
    "RetryPolicy",
    "ServerError",
    "Unauthorized",
    "Unavailable",
    "Unreachable",
    "WebhookVerificationError",
    "moves",
    "password_hash",
    "records",
]
