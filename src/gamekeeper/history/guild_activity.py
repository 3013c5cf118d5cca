"""
The activity log of a guild, in the words of the Intersect Engine.

As the other logs there, it has pages by number and looks at the newest entries only.
"""

from collections.abc import Mapping
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Instant, Page, Record, SortDirection, Window
from gamekeeper.db.database import Reader
from gamekeeper.history.trade_log import owners_of
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.kinds.registry import ACTION_KINDS
from gamekeeper.players.lookup import names_of
from gamekeeper.users.lookup import names_of_users

MAX_ENTRIES = 1000


class GuildActivity(Record, frozen=True):
    """Something that happened in a guild."""

    id: UUID
    guild_id: UUID
    user_id: UUID | None
    player_id: UUID | None
    ip: str
    """Always empty."""
    time_stamp: Instant
    activity_type: str
    """
    `Created`, `Disbanded`, `Joined`, `Left`, `Kicked`, `Promoted`, `Demoted`, `Transfer` or
    `Rename`.
    """
    meta: str
    """The guild's name then."""
    initiator_id: UUID | None
    """Always null: a guild is not a character."""
    username: str
    player_name: str
    initiator_name: str
    """The actor."""


async def list_guild_activity(
    reader: Reader, guild: UUID, window: Window, direction: SortDirection
) -> Page[GuildActivity]:
    """A page of what happened in a guild, also in one that is gone."""
    rows = await reader.rows(NEWEST, guild, MAX_ENTRIES)
    found = await audit_log.find_actions(reader, [row["action_id"] for row in rows])
    told = [entry for entry in found if _name(entry)]
    told.sort(key=lambda one: one.id, reverse=direction is SortDirection.DESCENDING)
    shown = told[window.offset : window.offset + window.shown]
    players = [entry.player_id for entry in shown if entry.player_id]
    names = await names_of(reader, players)
    users = await owners_of(reader, players)
    accounts = await names_of_users(reader, users.values())
    return Page.of(
        [_entry(guild, entry, names, users, accounts) for entry in shown], len(told), window
    )


NEWEST: LiteralString = """
    SELECT action_id FROM guild_actions WHERE guild_id = $1 ORDER BY action_id DESC LIMIT $2
"""


def _name(entry: audit_log.Entry) -> str | None:
    if entry.kind != "guilds.rank":
        kind = ACTION_KINDS.get(entry.kind)
        name = kind.intersect if kind and kind.family == "guilds" else None
        return name if isinstance(name, str) else None
    # Rank 0 is the owner: a smaller number is a higher rank.
    return "Promoted" if entry.after["rank"] < entry.before["rank"] else "Demoted"


def _entry(
    guild: UUID,
    entry: audit_log.Entry,
    names: Mapping[UUID, str],
    users: Mapping[UUID, UUID],
    accounts: Mapping[UUID, str],
) -> GuildActivity:
    player = entry.player_id
    user = users.get(player) if player else None
    return GuildActivity(
        id=entry.id,
        guild_id=guild,
        user_id=user,
        player_id=player,
        ip="",
        time_stamp=entry.at,
        activity_type=_name(entry) or "",
        meta=_meta(entry),
        initiator_id=None,
        username=accounts.get(user, "") if user else "",
        player_name=names.get(player, "") if player else "",
        # Changes come from staff and game servers, not from a character.
        initiator_name=entry.actor_name,
    )


def _meta(entry: audit_log.Entry) -> str:
    state: Any = entry.after or entry.before or {}
    return str(state.get("guild") or state.get("name") or "")
