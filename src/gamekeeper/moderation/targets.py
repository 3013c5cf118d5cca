"""Whom a sanction is about: an account, or a character and its account."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import names
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.db.database import Writer
from gamekeeper.players.lookup import find_player_ids
from gamekeeper.players.lookup import unknown as unknown_player
from gamekeeper.servers.commands import bans
from gamekeeper.users.lookup import UserNotFound, find_user_ids


class InvalidTarget(Invalid):
    """Send one account as 'user' or one character as 'player'."""


class SanctionTarget(Struct, frozen=True):
    user_id: UUID
    player_id: UUID | None = None
    """None: the whole account."""


async def find_targets(
    writer: Writer, keys: Sequence[tuple[str | None, str | None]], *, lock: bool
) -> list[SanctionTarget | Problem]:
    """
    The target for each pair of a user and a player, of which one is None, or its refusal.

    With `lock`, their characters are locked, and then their accounts: so nobody joins a server
    or signs in while a ban is being imposed.
    """
    users = [user for user, player in keys if user and not player]
    players = [player for user, player in keys if player and not user]
    ids = dict(zip(users, await find_user_ids(writer, users), strict=True)) if users else {}
    owners = await _owners(writer, players) if players else {}
    found = [_target(user, player, ids, owners) for user, player in keys]
    if lock:
        await bans.lock(
            writer, [target.user_id for target in found if isinstance(target, SanctionTarget)]
        )
    return found


def _target(
    user: str | None,
    player: str | None,
    ids: dict[str, UUID | None],
    owners: dict[str, SanctionTarget],
) -> SanctionTarget | Problem:
    if user and not player:
        id_ = ids[user]
        return SanctionTarget(id_) if id_ else UserNotFound(names.missing("user", user))
    if player and not user:
        return owners.get(player) or unknown_player(player)
    return InvalidTarget()


async def _owners(writer: Writer, keys: Sequence[str]) -> dict[str, SanctionTarget]:
    ids = await find_player_ids(writer, keys)
    rows = await writer.rows(
        "SELECT id, user_id FROM players WHERE id = ANY($1)", [player for player in ids if player]
    )
    users = {row["id"]: row["user_id"] for row in rows}
    return {
        key: SanctionTarget(users[player], player)
        for key, player in zip(keys, ids, strict=True)
        if player in users
    }
