"""
The write path of guilds: lock, load, change in memory, save, audit.

Characters are locked first and guilds after them, each in id order. A guild's row covers its
memberships, its bank and its variables.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper.db.database import LockedByOther, Writer
from gamekeeper.guilds.lookup import UnknownGuild, find_guilds
from gamekeeper.guilds.records import Guild
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import memberships
from gamekeeper.players.memberships import OWNER, Membership
from gamekeeper.players.overlay import Overlay

LOCK_THE_FREE: LiteralString = memberships.LOCK + " SKIP LOCKED"


async def lock_guilds(writer: Writer, wanted: Sequence[UUID]) -> dict[UUID, Guild]:
    """Lock guilds until the transaction ends; raises LockedByOther if it must not wait."""
    ids = sorted(set(wanted))
    if writer.wait_for_locks:
        await writer.rows(memberships.LOCK, ids)
        return await find_guilds(writer, ids)
    there = await find_guilds(writer, ids)
    free = {row["id"] for row in await writer.rows(LOCK_THE_FREE, list(there))}
    held = [
        [position for position, other in enumerate(wanted) if other == guild]
        for guild in there
        if guild not in free
    ]
    if held:
        raise LockedByOther(held)
    # Read again: what was there before the lock may have been renamed.
    return await find_guilds(writer, ids)


class GuildState:
    """Locked guilds, and the memberships of locked characters and of the guilds' owners."""

    def __init__(self, guilds: dict[UUID, Guild]) -> None:
        self._guilds = guilds
        self._members: Overlay[UUID, Membership] = Overlay({})
        self._about: list[tuple[UUID, Action]] = []

    @classmethod
    async def lock(
        cls, writer: Writer, guilds: Sequence[UUID], players: Sequence[UUID | None]
    ) -> "GuildState":
        """Lock guilds; the characters must be locked already."""
        state = cls(await lock_guilds(writer, guilds))
        rows = await writer.all(
            Membership,
            """
            SELECT player_id, guild_id, rank, joined_at FROM guild_members
             WHERE player_id = ANY($1) OR (guild_id = ANY($2) AND rank = $3)
            """,
            [player for player in players if player],
            list(guilds),
            OWNER,
        )
        state._members = Overlay({row.player_id: row for row in rows})
        return state

    def guild(self, guild: UUID) -> Guild:
        if guild not in self._guilds:
            raise UnknownGuild
        return self._guilds[guild]

    def membership(self, player: UUID) -> Membership | None:
        return self._members.get(player)

    def owner(self, guild: UUID) -> Membership | None:
        return next(
            (
                membership
                for membership in self._members.items().values()
                if membership.guild_id == guild and membership.is_owner
            ),
            None,
        )

    def put(self, player: UUID, membership: Membership | None) -> None:
        self._members.put(player, membership)

    def record(self, guild: UUID, action: Action) -> None:
        """Add an action to the audit log and to the guild's; `save` writes it."""
        self._about.append((guild, action))

    async def save(self, writer: Writer) -> None:
        changed = self._members.changed()
        if changed:
            # All out before any comes in: an owner and its successor change places.
            await writer.run("DELETE FROM guild_members WHERE player_id = ANY($1)", list(changed))
        now = [membership for membership in changed.values() if membership]
        if now:
            await insert_members(writer, now)
        await save_actions(writer, self._about)


async def insert_members(writer: Writer, members: Sequence[Membership]) -> None:
    await writer.run(
        """
        INSERT INTO guild_members (player_id, guild_id, rank, joined_at)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[])
        """,
        [member.player_id for member in members],
        [member.guild_id for member in members],
        [member.rank for member in members],
        [member.joined_at for member in members],
    )


async def save_actions(writer: Writer, about: Sequence[tuple[UUID, Action]]) -> None:
    await actions.record(writer, [action for _, action in about])
    await memberships.relate(
        writer, [guild for guild, _ in about], [action.id for _, action in about]
    )
