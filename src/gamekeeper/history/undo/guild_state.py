"""
Guilds in memory during undos: their names, members, variables, and the disbanded ones.

The items of their banks are in the inventory of the characters' state, so that one savepoint
covers both sides of a deposit. `guilds.py` decides on this state; here it is locked, loaded and
saved.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

import asyncpg
from msgspec import Struct

from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variable_values import GUILD_VARIABLES
from gamekeeper.core.names import fold
from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import RetryTransaction, Writer
from gamekeeper.guilds import archive
from gamekeeper.guilds.archive import ArchivedGuild
from gamekeeper.guilds.lookup import find_guilds
from gamekeeper.guilds.records import Guild
from gamekeeper.guilds.state import insert_members
from gamekeeper.history.undo.plan import Obstacle
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import memberships
from gamekeeper.players.lookup import names_of
from gamekeeper.players.memberships import OWNER, Membership
from gamekeeper.players.overlay import Overlay
from gamekeeper.players.state import State

MAX_NAME_LENGTH = 20


def is_disbanding(undone: Undoable) -> bool:
    """Whether it disbanded a guild, or brought a disbanded one back."""
    return undone.handler == "guild" and "members" in undone.state


def guild_gone(undone: Undoable) -> Obstacle:
    name = undone.state.get("guild")
    return Obstacle(reason="guild_gone", what="guild", id=undone.guild_id, name=name)


def substitute(name: str, guild: UUID) -> str:
    """The new name of a restored guild whose name was taken meanwhile."""
    mark = guild.hex[:8]
    return f"{name[: MAX_NAME_LENGTH - len(mark) - 1].rstrip()} {mark}"


async def members_to_lock(writer: Writer, undone: Sequence[Undoable]) -> set[UUID]:
    """The former members of disbanded guilds, to be locked with all other characters."""
    wanted = [action.guild_id for action in undone if action.guild_id and is_disbanding(action)]
    archived = await archive.find(writer, wanted) if wanted else {}
    return {member.player_id for guild in archived.values() for member in guild.kept.members}


async def lock(writer: Writer, undone: Sequence[Undoable], deleted: Sequence[UUID]) -> None:
    """
    Lock the guilds of actions, after the characters; disbanded ones by their archive rows.

    Also those of characters that other undos of the list may delete (`deleted`): one statement
    locks all guilds, in id order. A guild that was restored while we waited is locked as a guild.
    """
    about = {action.guild_id for action in undone if action.guild_id}
    members = await memberships.of_players(writer, deleted) if deleted else {}
    ids = sorted({*about, *(membership.guild_id for membership in members.values())})
    found = {row["id"] for row in await writer.rows(memberships.LOCK, ids)}
    if missing := sorted(about - found):
        archived = await archive.find(writer, missing, lock=True)
        await writer.rows(memberships.LOCK, [one for one in missing if one not in archived])


class _Stored(Struct, frozen=True):
    """What is stored of the guilds."""

    guilds: dict[UUID, Guild]
    archived: dict[UUID, ArchivedGuild]
    names: dict[str, UUID]
    members: dict[UUID, Membership]
    variables: dict[tuple[UUID, UUID], Scalar]
    existing: Collection[UUID]
    """The characters that exist, of all that may become members."""
    player_names: Mapping[UUID, str]
    now: Any


class GuildStates:
    """The guilds that undos are about, as an in-memory overlay."""

    def __init__(self, stored: _Stored) -> None:
        self.guilds: Overlay[UUID, Guild] = Overlay(stored.guilds)
        self.archived: Overlay[UUID, ArchivedGuild] = Overlay(stored.archived)
        self.names: Overlay[str, UUID] = Overlay(stored.names)
        """The guild that has each folded name."""
        self.members: Overlay[UUID, Membership] = Overlay(stored.members)
        self.variables: Overlay[tuple[UUID, UUID], Scalar] = Overlay(stored.variables)
        self.player_names = stored.player_names
        self.now = stored.now
        self._existing = stored.existing
        self.is_deleted: Callable[[UUID], bool] = lambda _: False
        """Whether another undo of the list deletes a character."""
        self._about: list[tuple[UUID, UUID]] = []

    @classmethod
    async def load(
        cls,
        writer: Writer,
        state: State,
        undone: Sequence[Undoable],
        players: Collection[UUID],
        locked: Collection[UUID] | None,
    ) -> "GuildStates":
        """
        Load guilds, and into the inventory of `state` their banks.

        `players` are those of all actions in the list; `locked` those that are locked, None in a
        dry run.
        """
        ids = list({action.guild_id for action in undone if action.guild_id})
        guilds, archived = await find_guilds(writer, ids), await archive.find(writer, ids)
        whole = list({one.guild_id for one in undone if one.guild_id and is_disbanding(one)})
        former = {
            member.player_id
            for guild in whole
            if guild in archived
            for member in archived[guild].kept.members
        }
        if locked is not None and not former <= set(locked):
            # Restored and disbanded again while we waited, with other members.
            raise RetryTransaction
        concerned = {*players, *former, *_owners(undone)}
        await state.inventory.load_guilds(writer, list(guilds))
        items = {slot.item_id for guild in archived.values() for slot in guild.kept.slots}
        await state.learn_items(writer, items)
        return cls(
            _Stored(
                guilds=guilds,
                archived=archived,
                names=await _names(writer, _wanted_names(undone, guilds, archived)),
                members=await _members(writer, ids, whole, concerned),
                variables=await _variables(writer, undone, whole),
                existing=await _existing(writer, former | _owners(undone)),
                player_names=await names_of(writer, concerned),
                now=await writer.value("SELECT now()"),
            )
        )

    def exists(self, player: UUID) -> bool:
        """Whether a former member or owner still exists."""
        return player in self._existing and not self.is_deleted(player)

    def owns(self, player: UUID) -> bool:
        membership = self.members.get(player)
        return membership is not None and membership.is_owner

    def of_guild(self, guild: UUID) -> list[Membership]:
        return [one for one in self.members.items().values() if one.guild_id == guild]

    def owner(self, guild: UUID) -> Membership | None:
        return next((one for one in self.of_guild(guild) if one.is_owner), None)

    def values(self, guild: UUID) -> dict[UUID, Scalar]:
        return {
            spot[1]: value for spot, value in self.variables.items().items() if spot[0] == guild
        }

    def relate(self, guild: UUID, action: UUID) -> None:
        """Add an undo to the history of the guild; `save` writes it."""
        self._about.append((guild, action))

    # ── Savepoints ──

    def _overlays(self) -> tuple[Overlay[Any, Any], ...]:
        return self.guilds, self.archived, self.names, self.members, self.variables

    def savepoint(self) -> tuple[int, ...]:
        return *(overlay.savepoint() for overlay in self._overlays()), len(self._about)

    def rollback(self, savepoint: tuple[int, ...]) -> None:
        *changes, about = savepoint
        for overlay, number in zip(self._overlays(), changes, strict=True):
            overlay.rollback(number)
        del self._about[about:]

    # ── Saving ──

    async def save_guilds(self, writer: Writer) -> None:
        """Write new guilds and names: before the banks, whose rows refer to them."""
        changed = self.guilds.changed()
        if not changed:
            return
        stored = [guild for guild in changed if self.guilds.stored(guild)]
        # Two guilds may exchange names: so all give theirs up before any takes one.
        await writer.run("UPDATE guilds SET name_key = id::text WHERE id = ANY($1)", stored)
        now = [guild for guild in changed.values() if guild]
        renamed = [guild for guild in now if guild.id in stored]
        try:
            await writer.run(RENAME, *_identified(renamed))
            new = [guild for guild in now if guild.id not in stored]
            await writer.run(
                INSERT,
                *_identified(new),
                [guild.founding_date for guild in new],
                [guild.bank_slots_count for guild in new],
                [guild.guild_instance_id for guild in new],
            )
        except asyncpg.UniqueViolationError as taken:
            # Another transaction took the name just now; the next attempt sees that.
            raise RetryTransaction from taken

    async def save(self, writer: Writer) -> None:
        """Write the rest, after the banks: a guild is deleted when its bank is empty."""
        if changed := self.members.changed():
            # All out before any comes in: an owner and its successor change places.
            await writer.run("DELETE FROM guild_members WHERE player_id = ANY($1)", list(changed))
            if now := [membership for membership in changed.values() if membership]:
                await insert_members(writer, now)
        await GUILD_VARIABLES.save(writer, self.variables.changed())
        gone = [guild for guild, now in self.guilds.changed().items() if now is None]
        if gone:
            await writer.run("DELETE FROM guilds WHERE id = ANY($1)", gone)
        archived = self.archived.changed()
        await archive.remove(writer, [guild for guild in archived if self.archived.stored(guild)])
        await archive.add(writer, [guild for guild in archived.values() if guild])
        await memberships.relate(
            writer, [guild for guild, _ in self._about], [action for _, action in self._about]
        )


RENAME: LiteralString = """
    UPDATE guilds SET name = new.name, name_key = new.name_key
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS new (id, name, name_key)
     WHERE guilds.id = new.id
"""
INSERT: LiteralString = """
    INSERT INTO guilds (id, name, name_key, founded_at, bank_slots, instance_id)
    SELECT id, name, name_key, founded_at, bank_slots, instance_id
      FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::uuid[])
           AS new (id, name, name_key, founded_at, bank_slots, instance_id)
     ORDER BY name_key COLLATE "C"
"""


def _identified(guilds: Sequence[Guild]) -> tuple[list[Any], ...]:
    return (
        [guild.id for guild in guilds],
        [guild.name for guild in guilds],
        [fold(guild.name) for guild in guilds],
    )


# ── Loading ──


def _owners(undone: Sequence[Undoable]) -> set[UUID]:
    """The owners before and after transfers."""
    found = [
        state.get("owner_id")
        for action in undone
        if action.handler == "guild"
        for state in (action.before or {}, action.after or {})
    ]
    return {UUID(owner) for owner in found if owner}


def _wanted_names(
    undone: Sequence[Undoable],
    guilds: Mapping[UUID, Guild],
    archived: Mapping[UUID, ArchivedGuild],
) -> Iterable[str]:
    """The names that an undo may give a guild, and those that the guilds have."""
    yield from (guild.name for guild in guilds.values())
    for guild in archived.values():
        yield from (guild.name, substitute(guild.name, guild.guild_id))
    for action in undone:
        if action.before and action.guild_id:
            yield from (
                action.before["guild"],
                substitute(action.before["guild"], action.guild_id),
            )


async def _names(writer: Writer, wanted: Iterable[str]) -> dict[str, UUID]:
    rows = await writer.rows(
        "SELECT name_key, id FROM guilds WHERE name_key = ANY($1)",
        list({fold(name) for name in wanted}),
    )
    return {row["name_key"]: row["id"] for row in rows}


async def _members(
    writer: Writer, guilds: Sequence[UUID], whole: Sequence[UUID], players: Collection[UUID]
) -> dict[UUID, Membership]:
    """The memberships of characters, the owners of guilds, and all members of the `whole` ones."""
    rows = await writer.all(
        Membership,
        """
        SELECT player_id, guild_id, rank, joined_at FROM guild_members
         WHERE player_id = ANY($1) OR guild_id = ANY($2) OR (guild_id = ANY($3) AND rank = $4)
        """,
        list(players),
        list(whole),
        list(guilds),
        OWNER,
    )
    return {row.player_id: row for row in rows}


async def _variables(
    writer: Writer, undone: Sequence[Undoable], whole: Sequence[UUID]
) -> dict[tuple[UUID, UUID], Scalar]:
    spots = [
        (action.guild_id, UUID(action.state["variable_id"]))
        for action in undone
        if action.guild_id and "variable_id" in action.state
    ]
    found = await GUILD_VARIABLES.values(
        writer, [guild for guild, _ in spots], [variable for _, variable in spots]
    )
    for guild, values in (await GUILD_VARIABLES.all_values(writer, whole)).items():
        found |= {(guild, variable): value for variable, value in values.items()}
    return {spot: catalog.stored(value) for spot, value in found.items()}


async def _existing(writer: Writer, players: Collection[UUID]) -> set[UUID]:
    rows = await writer.rows("SELECT id FROM players WHERE id = ANY($1)", list(players))
    return {row["id"] for row in rows}
