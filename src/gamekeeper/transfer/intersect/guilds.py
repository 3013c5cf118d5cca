"""
Guilds: names, members, variables and the bank, whose ledger is opened as a character's is.

A guild comes once, whole, in a transaction of its own. One that is here already stays as it is:
what its members did with it here must not be undone by an old database.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct, field

from gamekeeper.catalog.variable_values import GUILD_VARIABLES
from gamekeeper.core import ids
from gamekeeper.core.names import fold
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.transfer.importer import TransferCounts
from gamekeeper.transfer.intersect.belongings import SLOT_COLUMNS, GuildBank, RawSlot
from gamekeeper.transfer.intersect.catalog import GameCatalog
from gamekeeper.transfer.intersect.characters import read_bags
from gamekeeper.transfer.intersect.names import usable_name
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.sources import Source
from gamekeeper.transfer.intersect.values import UnreadableValue, guid_bytes, integer, moment
from gamekeeper.transfer.intersect.variables import Values, digest, owned_by, put_value
from gamekeeper.transfer.lines import SlotLine
from gamekeeper.transfer.marks import Mark, find_marks, write_marks

MOST_SLOTS = 10_000


class Member(Struct):
    player_id: UUID
    rank: int
    joined_at: datetime | None


class ImportedGuild(Struct):
    id: UUID
    name: str
    founded_at: datetime | None
    bank_slots: int
    instance_id: UUID | None
    members: list[Member] = field(default_factory=list)
    bank: list[SlotLine] = field(default_factory=list)
    variables: Values = field(default_factory=dict)


class GuildReader:
    """Reads the guilds of a source."""

    def __init__(
        self, source: Source, game: GameCatalog, players: Mapping[UUID, str], notes: Notes
    ) -> None:
        self.tables, self.game, self.players, self.notes = source.players, game, players, notes

    def guilds(self) -> list[ImportedGuild]:
        found = {guild.id: guild for guild in self._rows()}
        self._add_members(found)
        self._add_banks(found)
        known = owned_by(self.game, "guild")
        for raw_guild, raw, value in self.tables.rows(
            "Guild_Variables", ["GuildId", "VariableId", "Value"]
        ):
            if guild := found.get(_id(raw_guild)):
                put_value(guild.variables, known, raw, value, guild.name, self.notes)
        return sorted(found.values(), key=lambda one: one.id)

    def _rows(self) -> Iterator[ImportedGuild]:
        columns = ("Id", "Name", "FoundingDate", "BankSlotsCount", "GuildInstanceId")
        for raw, name, founded, slots, instance in self.tables.rows("Guilds", columns):
            own = guid_bytes(raw)
            if own is None:
                self.notes.add("row_unreadable", "Guilds", f"{name!r:.60}")
                continue
            guild = UUID(bytes=own)
            other = guid_bytes(instance)
            usable = usable_name(str(name or ""), guild)
            if usable != name:
                self.notes.add("guild_renamed", f"{name!r:.60}", usable)
            yield ImportedGuild(
                guild,
                usable,
                _moment(founded),
                integer(slots, 0, MOST_SLOTS, 100),
                UUID(bytes=other) if other else None,
            )

    def _add_members(self, guilds: Mapping[UUID, ImportedGuild]) -> None:
        column = "GuildId" if self.tables.has_column("Players", "GuildId") else "DbGuildId"
        rows = self.tables.rows("Players", ["Id", column, "GuildRank", "GuildJoinDate"])
        for raw, raw_guild, rank, joined in rows:
            player, guild = _id(raw), guilds.get(_id(raw_guild))
            if guild is not None and player in self.players:
                guild.members.append(Member(player, integer(rank, 0, 1000, 1), _moment(joined)))
        for guild in guilds.values():
            guild.members.sort(key=lambda one: (one.rank, str(one.joined_at), one.player_id))
            for second in guild.members[1:]:
                if second.rank == 0:
                    second.rank = 1
                    who = self.players[second.player_id]
                    self.notes.add("guild_rank", who, f"{guild.name} has one owner")

    def _add_banks(self, guilds: Mapping[UUID, ImportedGuild]) -> None:
        held: defaultdict[UUID, list[RawSlot]] = defaultdict(list)
        for key, *row in self.tables.rows(
            "Guild_Bank", SLOT_COLUMNS, filled="ItemId", key="GuildId"
        ):
            held[UUID(bytes=key) if key else UUID(int=0)].append(tuple(row))
        items = {item.id: item for item in self.game.catalog.items}
        bags = read_bags(self.tables, Notes())
        for own, rows in held.items():
            guild = guilds.get(own)
            if guild is None:
                self.notes.add("orphan", "Guild_Bank", f"{len(rows)} slots", count=len(rows))
                continue
            largest = max(integer(row[0], -1, MOST_SLOTS - 1, -1) for row in rows) + 1
            guild.bank_slots = max(guild.bank_slots, largest)
            sizes = {"inventory": 0, "bank": guild.bank_slots}
            bank = GuildBank(f"guild {guild.name}", items, bags, sizes, self.notes)
            bank.fill([], rows)
            guild.bank = bank.slots("bank")


def _id(value: Any) -> UUID:
    found = guid_bytes(value)
    return UUID(bytes=found) if found else UUID(int=0)


def _moment(value: Any) -> datetime | None:
    try:
        return moment(value)
    except UnreadableValue:
        return None


# ── Storing ──


async def store_guilds(
    database: Database,
    wanted: Iterable[ImportedGuild],
    by: AuditContext,
    notes: Notes,
    *,
    dry_run: bool,
) -> TransferCounts:
    """Add the guilds that are not here yet."""
    guilds, counts = list(wanted), TransferCounts()
    reader = database.reader
    there = await _ids(reader, EXISTING, [guild.id for guild in guilds])
    marks = await find_marks(reader, "guild", there)
    for guild in guilds:
        source = digest(guild)
        if guild.id in there:
            counts.unchanged += 1
            if guild.id not in marks or marks[guild.id].source != source:
                notes.add("guild_kept", guild.name)
            continue
        await _settle_name(reader, guild, notes)
        counts.added += 1
        if not dry_run:
            await database.write(lambda writer, one=guild, old=source: _add(writer, one, old, by))
    return counts


async def _settle_name(reader: Queryable, guild: ImportedGuild, notes: Notes) -> None:
    base, number = guild.name, 2
    while await reader.value("SELECT id FROM guilds WHERE name_key = $1", fold(guild.name)):
        guild.name = f"{base[:60]}{number}"
        number += 1
    if guild.name != base:
        notes.add("guild_renamed", base, f"{guild.name} (another guild has that name)")


async def _ids(reader: Queryable, sql: LiteralString, asked: list[UUID]) -> set[UUID]:
    return {row["id"] for row in await reader.rows(sql, asked)}


EXISTING: LiteralString = "SELECT id FROM guilds WHERE id = ANY($1)"
FREE: LiteralString = """
    SELECT id FROM players
     WHERE id = ANY($1) AND NOT EXISTS (SELECT FROM guild_members WHERE player_id = players.id)
"""


async def _add(writer: Writer, guild: ImportedGuild, source: bytes, by: AuditContext) -> None:
    now = datetime.now(UTC)
    await writer.run(
        """
        INSERT INTO guilds (id, name, name_key, founded_at, bank_slots, instance_id)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        guild.id,
        guild.name,
        fold(guild.name),
        guild.founded_at or now,
        guild.bank_slots,
        guild.instance_id or ids.new_id(),
    )
    # A character that was deleted here, or joined a guild here, is left out.
    free = await _ids(writer, FREE, [member.player_id for member in guild.members])
    members = [member for member in guild.members if member.player_id in free]
    await writer.run(
        """
        INSERT INTO guild_members (player_id, guild_id, rank, joined_at)
        SELECT player_id, $1, rank, joined_at
          FROM unnest($2::uuid[], $3::int[], $4::timestamptz[]) AS new (player_id, rank, joined_at)
        """,
        guild.id,
        [member.player_id for member in members],
        [member.rank for member in members],
        [member.joined_at or now for member in members],
    )
    values = {(guild.id, variable): value for variable, value in guild.variables.items()}
    await GUILD_VARIABLES.save(writer, values)
    action = Action(kind="players.import", by=by, after={"guild": guild.id, "name": guild.name})
    await actions.record(writer, [action])
    await writer.run("INSERT INTO guild_actions VALUES ($1, $2)", guild.id, action.id)
    await _open_bank(writer, guild, action.id)
    await write_marks(writer, "guild", {guild.id: Mark(source, source)})


async def _open_bank(writer: Writer, guild: ImportedGuild, action: UUID) -> None:
    if not guild.bank:
        return
    for slot in guild.bank:
        await writer.run(
            "INSERT INTO guild_slots VALUES ($1, $2, $3, $4, $5)",
            guild.id,
            slot.slot,
            slot.item_id,
            slot.quantity,
            list(slot.stat_buffs),
        )
    await writer.run(POSTINGS, guild.id, action)
    await writer.run(HEADS, guild.id)


POSTINGS: LiteralString = """
    INSERT INTO postings (player_id, seq, at, action_id, place, slot, item_id, quantity, against,
                          held_before, held_after, stat_buffs)
    SELECT guild_id, row_number() OVER (ORDER BY slot), statement_timestamp(), $2, 'guild', slot,
           item_id, quantity, 'import', 0, quantity, stat_buffs
      FROM guild_slots
     WHERE guild_id = $1
"""

HEADS: LiteralString = """
    INSERT INTO ledger_heads (player_id, seq, at)
    SELECT player_id, max(seq), max(at) FROM postings WHERE player_id = $1 GROUP BY player_id
"""
