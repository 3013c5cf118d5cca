"""Requests for Intersect's admin actions: whom they are about, and what there is to do."""

from collections.abc import Awaitable, Callable
from typing import ClassVar
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Body, Message
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.servers.commands.doorbell import Doorbell
from gamekeeper.users.accounts import PowerName


class DoAction(Body, frozen=True):
    lenient: ClassVar[frozenset[str]] = frozenset({"duration", "x", "y", "map_id"})

    duration: int | None = None
    """Days; permanent if absent or more than a hundred years."""
    reason: str = ""
    """The reason, visible to staff and the player, at most 500 characters."""
    x: int | None = None
    """For a warp."""
    y: int | None = None
    """For a warp."""
    map_id: UUID | None = None
    """For a warp."""


class AdminTarget(Struct, frozen=True, kw_only=True):
    """Whom an action is about, and the name by which it was asked for."""

    name: str
    user_id: UUID
    player_id: UUID | None
    """The character; None on the path of accounts."""


class AdminRequest(Struct, frozen=True, kw_only=True):
    database: Database
    caller: Principal
    by: AuditContext
    bell: Doorbell
    target: AdminTarget
    body: DoAction


class AdminAction(Struct, frozen=True, kw_only=True):
    scope: str
    power: PowerName
    """An account with this power may do this with a token, although tokens lack the scope."""
    carry_out: Callable[[AdminRequest], Awaitable[Message]]
