"""Python client (SDK) for the Gamekeeper API, for websites, bots and game servers."""

from gamekeeper_client import moves, records
from gamekeeper_client.clients import AsyncGamekeeper, Gamekeeper, password_hash
from gamekeeper_client.command_handlers import CommandFailed
from gamekeeper_client.errors import (
    APIError,
    ApprovalRequired,
    BadRequest,
    Conflict,
    EventsExpired,
    EventsUnknown,
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
from gamekeeper_client.version import __version__
from gamekeeper_client.webhook_messages import WebhookMessage, verify_webhook

__all__ = [
    "APIError",
    "ApprovalRequired",
    "AsyncGameServer",
    "AsyncGamekeeper",
    "BadRequest",
    "CommandFailed",
    "Conflict",
    "EventsExpired",
    "EventsUnknown",
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
    "WebhookMessage",
    "WebhookVerificationError",
    "__version__",
    "moves",
    "password_hash",
    "records",
    "verify_webhook",
]
