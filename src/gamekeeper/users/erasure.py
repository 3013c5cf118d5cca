"""
Erasure of accounts (right to erasure).

Its characters are deleted as any character is, with actions and postings, and so that none
comes back: their archive goes too. Passwords, addresses, tokens, sessions, second factors and
variables are deleted. Sanctions stay, under the id of the account; while one is in force, a
keyed hash (HMAC) of the email address stays too, and that address is not registered again.
The action says nothing that names a person. docs/decisions/0051-erased-accounts.md
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.auth import login_throttle
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.names import fold
from gamekeeper.db.database import RetryTransaction, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.db.paging.orderings import USERS, by_name, record_deltas, removed
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion
from gamekeeper.players.state import lock_all
from gamekeeper.sanctions.in_force import NOT_OVER
from gamekeeper.users import accounts, ranks, records
from gamekeeper.users.lookup import find_user_ids
from gamekeeper.users.play_time import with_play_time
from gamekeeper.users.ranks import Management
from gamekeeper.users.records import User


# A sentence of Intersect, which its clients compare: it stays as it is.
class UserOnline(Invalid):
    """Cannot delete a user is currently online."""

    cacheable = False


class AccountHasRoles(Conflict):
    """The account has staff roles. Remove them first."""

    cacheable = False


class Erasure(Command, frozen=True, kw_only=True):
    user: str
    vault: Vault
    manager: Principal | None = None
    """The caller; None: the command line."""
    sees_emails: bool = False


class Erased(Struct, frozen=True):
    """What was erased, as it was before, and how much of it stays as what."""

    user: User
    characters: int
    sanctions: int
    """Sanctions that have not ended, for which the email address stays reserved."""


@operation
async def erase(writer: Writer, orders: Sequence[Erasure]) -> list[Erased | Problem]:
    """Erase accounts with their characters; returns what they were."""
    return [await _erase(writer, order) for order in orders]


async def _erase(writer: Writer, order: Erasure) -> Erased | Problem:
    [user] = await find_user_ids(writer, [order.user])
    players = await _characters(writer, user) if user else []
    if user is None or not await _lock(writer, user, players):
        return accounts.missing(order.user)
    if refusal := await _refusal(writer, order, user, players):
        return refusal
    rows = await writer.rows(f"SELECT {records.COLUMNS} FROM users WHERE id = $1", user)
    [shown] = await with_play_time(writer, rows, sees_emails=order.sees_emails)
    held = await writer.value(
        f"""
        SELECT count(*) FROM sanctions
         WHERE user_id = $1 AND kind IN ('ban', 'mute', 'trade_lock') AND {NOT_OVER}
        """,
        user,
    )
    await _delete_characters(writer, order, players)
    await _remove(writer, order, rows[0], kept_away=held > 0, characters=len(players))
    return Erased(user=shown, characters=len(players), sanctions=held)


async def _characters(writer: Writer, user: UUID) -> list[UUID]:
    rows = await writer.rows("SELECT id FROM players WHERE user_id = $1 ORDER BY id", user)
    return [row["id"] for row in rows]


async def _lock(writer: Writer, user: UUID, players: Sequence[UUID]) -> bool:
    """Lock characters before their account, as undo does; whether the account is still there."""
    await lock_all(writer, [str(player) for player in players])
    there = await writer.rows("SELECT FROM users WHERE id = $1 FOR UPDATE", user)
    if there and await _characters(writer, user) != list(players):
        # One was created, deleted or brought back meanwhile. From here on none can be.
        raise RetryTransaction
    return bool(there)


async def _refusal(
    writer: Writer, order: Erasure, user: UUID, players: Sequence[UUID]
) -> Problem | None:
    [above] = await ranks.refusals(writer, [Management(order.manager, user)])
    if above:
        return above
    if await writer.value("SELECT count(*) FROM staff_roles WHERE user_id = $1", user):
        return AccountHasRoles()
    return UserOnline() if await characters.playing(writer, players) else None


async def _delete_characters(writer: Writer, order: Erasure, players: Sequence[UUID]) -> None:
    # The idempotency key belongs to the erasure.
    by = structs.replace(order.by, key=None)
    gone = [Deletion(by=by, player=str(player)) for player in players]
    refused = [one for one in await characters.delete(writer, gone) if isinstance(one, Problem)]
    if refused:
        raise refused[0]


async def _remove(
    writer: Writer, order: Erasure, row: Any, *, kept_away: bool, characters: int
) -> None:
    user, name, email = row["id"], row["name"], row["email"]
    action = Action(
        kind="users.delete",
        by=order.by,
        user_id=user,
        before={"registered_at": row["registration_date"], "characters": characters},
    )
    await login_throttle.clear(writer, [user])
    for statement in OWNED:
        await writer.run(statement, user)
    await writer.run(
        "DELETE FROM user_names WHERE name_key = $2 AND user_id = $1", user, fold(name)
    )
    await writer.run(
        "DELETE FROM user_emails WHERE email_key = $2 AND user_id = $1", user, fold(email)
    )
    await writer.run(
        "INSERT INTO erased_users (user_id, action_id, email_tag) VALUES ($1, $2, $3)",
        user,
        action.id,
        order.vault.hmac(accounts.tag_text(email)) if kept_away else None,
    )
    gone = await writer.rows("SELECT remove_erased_users($1) AS id", [user])
    assert len(gone) == 1, "an account that was erased is still there"
    await record_deltas(writer, [removed(USERS, by_name(fold(name), user))])
    await actions.record(writer, [action])


# By statement and not by foreign keys, which cannot hold where tables are spread over machines.
OWNED: tuple[LiteralString, ...] = (
    "DELETE FROM user_skeletons WHERE user_id = $1",
    "DELETE FROM access_tokens WHERE user_id = $1",
    "DELETE FROM refresh_tokens WHERE user_id = $1",
    "DELETE FROM token_families WHERE user_id = $1",
    "DELETE FROM passwords WHERE user_id = $1",
    "DELETE FROM password_resets WHERE user_id = $1",
    "DELETE FROM known_sources WHERE user_id = $1",
    "DELETE FROM browser_sessions WHERE user_id = $1",
    "DELETE FROM sign_in_links WHERE user_id = $1",
    "DELETE FROM second_factors WHERE user_id = $1",
    "DELETE FROM recovery_codes WHERE user_id = $1",
    "DELETE FROM user_variables WHERE user_id = $1",
    "DELETE FROM chat_messages WHERE user_id = $1",
    # Those that were deleted before, too: none of them can have an owner again.
    "DELETE FROM deleted_players WHERE user_id = $1",
)
