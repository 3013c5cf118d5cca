"""
The activity log of an account or a character, in the words of the Intersect Engine.

It is told by the audit log and by the sessions of game servers. Pages have numbers, so an answer
looks at the newest `MAX_ENTRIES` entries of each of these, and no further; the audit log itself
(`/actions`) goes back to the beginning.
"""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID, uuid5

from msgspec import structs

from gamekeeper.core.schemas import Instant, Page, Record, SortDirection, Window
from gamekeeper.db.database import Reader
from gamekeeper.ledger.kinds.registry import ACTION_KINDS

MAX_ENTRIES = 1000
CLIENT = "Client"


class Activity(Record, frozen=True):
    """Something that happened to an account or to one of its characters."""

    id: UUID
    time_stamp: Instant
    user_id: UUID
    player_id: UUID | None
    action: str
    """
    As the Intersect Engine calls it: `Create`, `Login`, `SelectPlayer`, `Logout`, `NameChange`,
    `PasswordChanged`, `Mute`, `DisconnectBan`, `DisconnectKick`, `Kill`, `CreatePlayer`,
    `DeletePlayer`.
    """
    peer: str
    """Always `Client`."""
    ip: str
    """The address of a sign-in; empty for callers without access to personal information."""
    meta: str
    """The former and the new name, or empty."""


NAMES: Mapping[str, str | Mapping[str, str]] = {
    kind.name: kind.intersect
    for kind in ACTION_KINDS.values()
    # Those of guilds are in another log there, see guild_activity.py.
    if kind.intersect and kind.family != "guilds"
}
"""What the Intersect Engine calls each kind of action; others it does not have."""


async def of_user(
    reader: Reader, user: UUID, window: Window, direction: SortDirection, *, addresses: bool
) -> Page[Activity]:
    """A page of what happened to an account and its characters, deleted ones included."""
    players = await characters_of(reader, user)
    about = await reader.rows(f"{ACTIONS} user_id = $1 {NEWEST}", user, list(NAMES), MAX_ENTRIES)
    found = [
        *_told(user, about),
        *await _of_players(reader, user, players),
    ]
    return _page(found, window, direction, addresses=addresses)


async def of_player(
    reader: Reader,
    user: UUID,
    player: UUID,
    window: Window,
    direction: SortDirection,
    *,
    addresses: bool,
) -> Page[Activity]:
    """A page of what happened to a character of this account."""
    found = await _of_players(reader, user, [player])
    return _page(found, window, direction, addresses=addresses)


async def characters_of(reader: Reader, user: UUID) -> list[UUID]:
    """The characters of an account, deleted ones included."""
    rows = await reader.rows(
        """
        SELECT id FROM players WHERE user_id = $1
        UNION ALL
        SELECT player_id FROM deleted_players WHERE user_id = $1
        """,
        user,
    )
    return [row["id"] for row in rows]


async def _of_players(reader: Reader, user: UUID, players: Sequence[UUID]) -> list[Activity]:
    about = await reader.rows(
        f"{ACTIONS} player_id = ANY($1) {NEWEST}", list(players), list(NAMES), MAX_ENTRIES
    )
    sessions = await reader.rows(SESSIONS, list(players), MAX_ENTRIES)
    return [
        *_told(user, about),
        *(activity for row in sessions for activity in _session(user, row)),
    ]


def _told(user: UUID, rows: Sequence[Any]) -> list[Activity]:
    return [
        Activity(
            id=row["id"],
            time_stamp=row["at"],
            user_id=user,
            player_id=row["player_id"],
            action=name,
            peer=CLIENT,
            # Of other kinds it is where the caller was, not the player.
            ip=row["address"] if row["kind"] == "sessions.start" else "",
            meta=_meta(row),
        )
        for row in rows
        if (name := _name(row))
    ]


def _name(row: Any) -> str | None:
    name = NAMES[row["kind"]]
    return name if isinstance(name, str) else name.get((row["after"] or {}).get("kind", ""))


def _meta(row: Any) -> str:
    if NAMES[row["kind"]] == "NameChange":
        return f"{row['before']['name']} → {row['after']['name']}"
    return ""


def _session(user: UUID, row: Any) -> list[Activity]:
    joined = Activity(
        id=uuid5(row["player_id"], f"join {row['joined_at']}"),
        time_stamp=row["joined_at"],
        user_id=user,
        player_id=row["player_id"],
        action="SelectPlayer",
        peer=CLIENT,
        ip="",
        meta="",
    )
    if row["left_at"] is None:
        return [joined]
    left = structs.replace(
        joined,
        id=uuid5(row["player_id"], f"leave {row['joined_at']}"),
        time_stamp=row["left_at"],
        action="Logout",
    )
    return [joined, left]


def _page(
    found: Sequence[Activity], window: Window, direction: SortDirection, *, addresses: bool
) -> Page[Activity]:
    # An action on both an account and a character is found twice.
    once = {activity.id: activity for activity in found}.values()
    ordered = sorted(
        once,
        key=lambda one: (one.time_stamp, one.id),
        reverse=direction is SortDirection.DESCENDING,
    )
    shown = ordered[window.offset : window.offset + window.shown]
    if not addresses:
        shown = [structs.replace(activity, ip="") for activity in shown]
    return Page.of(shown, len(ordered), window)


ACTIONS: LiteralString = """
    SELECT id, at, kind, user_id, player_id, before, after, address FROM actions WHERE
"""
NEWEST: LiteralString = "AND kind = ANY($2) ORDER BY id DESC LIMIT $3"
SESSIONS: LiteralString = """
    SELECT player_id, joined_at, left_at
      FROM ((SELECT player_id, joined_at, left_at
               FROM sessions
              WHERE player_id = ANY($1)
              ORDER BY joined_at DESC LIMIT $2)
            UNION ALL
            SELECT player_id, joined_at, NULL
              FROM presences
             WHERE player_id = ANY($1)) AS played
     ORDER BY joined_at DESC
     LIMIT $2
"""
