"""Commands as staff see them: one, those of a character, those of a server."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.players.lookup import find_player_id
from gamekeeper.servers import leases
from gamekeeper.servers.commands.payloads import CommandKind
from gamekeeper.servers.commands.states import State


class CommandNotFound(NotFound):
    """No command has this id. Commands are deleted after 90 days."""

    cacheable = False


class GameCommand(Record, frozen=True):
    """A command to the live game, and what became of it."""

    id: UUID
    kind: CommandKind
    player_id: UUID | None
    """The character it is for; null if it is for a server."""
    server_id: UUID | None
    """The server it is for; null if it is for a character."""
    payload: dict[str, Any]
    """
    `Text`, `Color`, `MapId`, `X` and `Y`, as the kind has them; of a custom command what was
    sent.
    """
    state: State
    """
    `waiting`: not fetched yet. `delivered`: fetched, not answered yet. `done` and `failed`:
    answered. `expired`: not fetched or not answered in time; `Answer` says which, and an answer
    that comes late replaces it.
    """
    reason: str | None
    sent_by: str
    """The sender, as in the audit log."""
    sent_by_name: str
    """The name of the sender."""
    created_at: Instant
    expires_at: Instant
    """RFC 3339. The deadline for fetching or answering it."""
    delivered_to: UUID | None
    """The server that fetched it; no other ever gets it."""
    delivered_at: Instant | None
    """RFC 3339; the last time, if it was delivered again."""
    answered_at: Instant | None
    answer: str | None
    """The game server's answer, or why it expired."""


# The clock decides what has expired; the sweep only makes it cheap to find the rest. For what
# waits, some seconds later: a delivery that began in time may not be visible before. So nothing
# is carried out after it was reported as never fetched.
JUDGED: LiteralString = """
    CASE WHEN state = 'delivered' AND expires_at <= clock_timestamp()
           OR state = 'waiting' AND expires_at <= clock_timestamp() - interval '5 seconds'
         THEN 'expired' ELSE state END
"""

COLUMNS: LiteralString = f"""
    commands.id, kind, player_id, server_id, payload, {JUDGED} AS state, reason, sent_by,
    sent_by_name, created_at, expires_at, delivered_to, delivered_at, answered_at, answer,
    servers.name AS server_name
"""
FROM: LiteralString = "commands LEFT JOIN servers ON servers.id = delivered_to"


async def by_ids(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, GameCommand]:
    """The commands with these ids."""
    if not ids:
        return {}
    sql: LiteralString = f"SELECT {COLUMNS} FROM {FROM} WHERE commands.id = ANY($1)"
    return {row["id"]: _shown(row) for row in await reader.rows(sql, list(ids))}


async def find(reader: Reader, command: UUID) -> GameCommand:
    """One command as it stands now."""
    found = await by_ids(reader, [command])
    if command not in found:
        raise CommandNotFound
    return found[command]


async def of_player(
    reader: Reader, key: str, state: State | None, window: Window
) -> Page[GameCommand]:
    """The commands to a character, newest first."""
    player = await find_player_id(reader, key)
    return await _page(reader, TO_PLAYER, player, state, window)


async def of_server(
    reader: Reader, server: UUID, state: State | None, window: Window
) -> Page[GameCommand]:
    """The commands to a server, and those to characters that were delivered to it."""
    await leases.check(reader, server)
    return await _page(reader, TO_SERVER, server, state, window)


TO_PLAYER: LiteralString = "commands.player_id = $1"
TO_SERVER: LiteralString = "(commands.server_id = $1 OR commands.delivered_to = $1)"


async def _page(
    reader: Reader, where: LiteralString, target: UUID, state: State | None, window: Window
) -> Page[GameCommand]:
    wanted: LiteralString = f"{where} AND ($2::text IS NULL OR {JUDGED} = $2)"
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS} FROM {FROM} WHERE {wanted}
         ORDER BY commands.id DESC LIMIT $3 OFFSET $4
        """,
        target,
        state,
        window.shown,
        window.offset,
    )
    total = await reader.value(f"SELECT count(*) FROM commands WHERE {wanted}", target, state)
    return Page.of([_shown(row) for row in rows], total, window)


def _shown(row: Mapping[str, Any]) -> GameCommand:
    facts = dict(row)
    server = facts.pop("server_name") or facts["delivered_to"]
    if facts["state"] == "expired" and facts["answer"] is None:
        facts["answer"] = (
            f"Delivered to {server}, never answered."
            if facts["delivered_to"]
            else "No game server fetched the command in time."
        )
    return GameCommand(**facts)
