"""Founding, renaming and disbanding of guilds."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID, uuid4

import asyncpg
from msgspec import Struct, structs

from gamekeeper.catalog.variable_values import GUILD_VARIABLES
from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.names import fold, is_name, is_staff_word
from gamekeeper.db.database import RetryTransaction, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.guilds import archive, lookup
from gamekeeper.guilds.archive import ArchivedGuild
from gamekeeper.guilds.members import AlreadyInGuild, PlayerNotFound
from gamekeeper.guilds.records import Guild
from gamekeeper.guilds.state import insert_members, save_actions
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import memberships
from gamekeeper.players.inventory import Inventory, PostingContext
from gamekeeper.players.memberships import OWNER, Membership
from gamekeeper.players.state import lock_all

SHORTEST_NAME = 3
MOST_SLOTS = 1000
MOST_NAMED = 1000
"""The members that the action of a disbanded guild names."""


# Sentences of Intersect, which its clients compare: they stay as they are.
class InvalidGuildName(Invalid):
    """Invalid guild name."""


class GuildNameTaken(Invalid):
    """Invalid name, or name already taken."""


class InvalidBankSlots(Invalid):
    """A guild bank must have 1 to 1000 slots."""


class GuildBankNotEmpty(Conflict):
    """The guild bank is not empty. Send `force` to delete its items; nothing was done."""

    cacheable = False


class GuildFounding(Command, frozen=True, kw_only=True):
    name: str
    owner: str
    """The name or the id of a character."""
    bank_slots: int | None = None


class GuildRenaming(Command, frozen=True, kw_only=True):
    guild_id: UUID
    name: str


class GuildDisbanding(Command, frozen=True, kw_only=True):
    guild_id: UUID
    force: bool = False
    """Whether to delete the items in the bank."""


def _check_name(name: str) -> None:
    if len(name) < SHORTEST_NAME or not is_name(name, joiners=" ") or is_staff_word(name):
        raise InvalidGuildName


# ── Founding ──


@operation
async def found(writer: Writer, commands: Sequence[GuildFounding]) -> list[Guild | Problem]:
    """Found guilds, each with a character as its owner that is in no guild."""
    players = await lock_all(writer, [command.owner for command in commands])
    busy = set(await memberships.of_players(writer, [player for player in players if player]))
    answers: list[UUID | Problem] = []
    new: list[tuple[GuildFounding, UUID, UUID]] = []
    for command, player in zip(commands, players, strict=True):
        try:
            _check_founding(command)
            if player is None:
                raise PlayerNotFound
            if player in busy:
                raise AlreadyInGuild
        except Problem as refusal:
            answers.append(refusal)
        else:
            busy.add(player)
            new.append((command, uuid4(), player))
            answers.append(new[-1][1])
    made = await _insert(writer, new) if new else {}
    return [
        answer if isinstance(answer, Problem) else made.get(answer) or GuildNameTaken()
        for answer in answers
    ]


def _check_founding(command: GuildFounding) -> None:
    _check_name(command.name)
    if command.bank_slots is not None and not 1 <= command.bank_slots <= MOST_SLOTS:
        raise InvalidBankSlots


async def _insert(
    writer: Writer, new: Sequence[tuple[GuildFounding, UUID, UUID]]
) -> dict[UUID, Guild]:
    """Insert those whose name is free."""
    slots = writer.settings.guild_bank_slots
    await writer.run(
        INSERT,
        [guild for _, guild, _ in new],
        [command.name for command, _, _ in new],
        [fold(command.name) for command, _, _ in new],
        [command.bank_slots or slots for command, _, _ in new],
    )
    made = await lookup.find_guilds(writer, [guild for _, guild, _ in new])
    owned = [(command, made[guild], player) for command, guild, player in new if guild in made]
    await insert_members(
        writer,
        [
            Membership(
                player_id=player, guild_id=guild.id, rank=OWNER, joined_at=guild.founding_date
            )
            for _, guild, player in owned
        ],
    )
    await save_actions(
        writer,
        [(guild.id, _founded(command, guild, player)) for command, guild, player in owned],
    )
    return made


# In the order of the keys: two lists that share some must not wait for each other.
INSERT: LiteralString = """
    INSERT INTO guilds (id, name, name_key, bank_slots)
    SELECT id, name, name_key, bank_slots
      FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[])
           AS new (id, name, name_key, bank_slots)
     ORDER BY name_key COLLATE "C"
    ON CONFLICT (name_key) DO NOTHING
"""


def _founded(command: GuildFounding, guild: Guild, owner: UUID) -> Action:
    after = {"guild_id": guild.id, "guild": guild.name, "bank_slots": guild.bank_slots_count}
    return Action(kind="guilds.create", by=command.by, player_id=owner, after=after)


# ── Renaming ──


@operation
async def rename(writer: Writer, commands: Sequence[GuildRenaming]) -> list[Guild | Problem]:
    """Rename guilds, in the order of the list; a name in another letter case is free."""
    await writer.rows(memberships.LOCK, sorted({command.guild_id for command in commands}))
    outcomes: list[Guild | Problem] = []
    for command in commands:
        try:
            outcomes.append(await _rename(writer, command))
        except Problem as refusal:
            outcomes.append(refusal)
    return outcomes


async def _rename(writer: Writer, command: GuildRenaming) -> Guild:
    guild = await lookup.find_guild(writer, command.guild_id)
    if guild is None:
        raise lookup.missing(command.guild_id)
    _check_name(command.name)
    if await writer.value(OTHER, fold(command.name), guild.id):
        raise GuildNameTaken
    try:
        await writer.run(RENAME, guild.id, command.name, fold(command.name))
    except asyncpg.UniqueViolationError as taken:
        # Somebody else took it just now; the next attempt sees that.
        raise RetryTransaction from taken
    before = {"guild_id": guild.id, "guild": guild.name}
    after = before | {"guild": command.name}
    action = Action(kind="guilds.rename", by=command.by, before=before, after=after)
    await save_actions(writer, [(guild.id, action)])
    return structs.replace(guild, name=command.name)


OTHER: LiteralString = "SELECT EXISTS (SELECT FROM guilds WHERE name_key = $1 AND id <> $2)"
RENAME: LiteralString = "UPDATE guilds SET name = $2, name_key = $3 WHERE id = $1"


# ── Disbanding ──


class _Doomed(Struct, frozen=True):
    archived: ArchivedGuild
    action: Action


@operation
async def disband(writer: Writer, commands: Sequence[GuildDisbanding]) -> list[Guild | Problem]:
    """
    Disband guilds; returns their records as they were.

    A guild whose bank is not empty is disbanded only by `force`. Postings then remove the items
    as a loss of the action, so the ledger says what was lost, when and by whom. The guild is
    archived with all it had: an undo restores it.
    """
    ids = sorted({command.guild_id for command in commands})
    await writer.rows(LOCK_TO_DELETE, ids)
    guilds = await lookup.find_guilds(writer, ids)
    banks = Inventory()
    await banks.load_guilds(writer, list(guilds))
    members = await memberships.of_guilds(writer, list(guilds))
    variables = await GUILD_VARIABLES.all_values(writer, list(guilds))
    doomed: dict[UUID, _Doomed] = {}
    outcomes: list[Guild | Problem] = []
    for command in commands:
        guild = guilds.get(command.guild_id)
        if guild is None or guild.id in doomed:
            outcomes.append(lookup.missing(command.guild_id))
        elif banks.at(guild.id, "guild") and not command.force:
            outcomes.append(GuildBankNotEmpty())
        else:
            action = Action(kind="guilds.delete", by=command.by)
            archived = ArchivedGuild.of(
                guild,
                action.id,
                members.get(guild.id, ()),
                banks.at(guild.id, "guild"),
                variables.get(guild.id, {}),
            )
            recorded = structs.replace(action, before=disbanded_state(archived))
            doomed[guild.id] = _Doomed(archived, recorded)
            outcomes.append(guild)
    await _delete(writer, doomed, banks)
    return outcomes


LOCK_TO_DELETE: LiteralString = "SELECT id FROM guilds WHERE id = ANY($1) ORDER BY id FOR UPDATE"


def disbanded_state(archived: ArchivedGuild) -> dict[str, Any]:
    """The state that the action of a disbanding records, and that of its undo."""
    members = archived.kept.members
    return {
        "guild_id": archived.guild_id,
        "guild": archived.name,
        "members": len(members),
        "ranks": [[member.player_id, member.rank] for member in members[:MOST_NAMED]],
        "lost": sum(slot.quantity for slot in archived.kept.slots),
    }


async def _delete(writer: Writer, doomed: Mapping[UUID, _Doomed], banks: Inventory) -> None:
    if not doomed:
        return
    for guild, doomed_guild in doomed.items():
        context = PostingContext(doomed_guild.action.id, "removal")
        for slot in sorted(banks.at(guild, "guild")):
            banks.set_slot((guild, "guild", slot), None, context)
    await actions.post(writer, await banks.save(writer))
    await archive.add(writer, [doomed_guild.archived for doomed_guild in doomed.values()])
    await writer.run("DELETE FROM guild_members WHERE guild_id = ANY($1)", list(doomed))
    await writer.run("DELETE FROM guilds WHERE id = ANY($1)", list(doomed))
    await save_actions(
        writer, [(guild, doomed_guild.action) for guild, doomed_guild in doomed.items()]
    )
