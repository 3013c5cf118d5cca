"""
New accounts and characters, written by COPY in the caller's transaction.

The ledger is opened by one statement from the slots that were just written, against the
account `import`. Unique keys are written in their order, so that two transactions which want
the same ones cannot deadlock.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, LiteralString, cast
from uuid import UUID

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from gamekeeper.auth.secrets import Vault
from gamekeeper.catalog.classes import vitals_at
from gamekeeper.catalog.variable_values import USER_VARIABLES
from gamekeeper.core.names import fold, look
from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.db.paging.orderings import PLAYERS, RANK, USERS, Ordering
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.sheet import blank
from gamekeeper.transfer import passwords
from gamekeeper.transfer.bulk_rows import Rows, copy
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.letters import add_letters
from gamekeeper.transfer.lines import PlayerLine, UserLine
from gamekeeper.transfer.mutes import add_mutes
from gamekeeper.transfer.positions import keep_positions
from gamekeeper.users.accounts import POWERS

# ── Accounts ──


async def add_users(
    writer: Writer, lines: Sequence[UserLine], vault: Vault, at: datetime, by: AuditContext
) -> None:
    """Write accounts that have a name and an email, which nobody else has."""
    if not lines:
        return
    names = {line.id: str(line.name) for line in lines}
    emails = {line.id: str(line.email) for line in lines}
    await copy(writer, "users", USER_COLUMNS, [_user(line, at) for line in lines])
    keys = sorted((fold(name), user) for user, name in names.items())
    await copy(writer, "user_names", ("name_key", "user_id"), keys)
    addresses = sorted((fold(email), user) for user, email in emails.items())
    await copy(writer, "user_emails", ("email_key", "user_id"), addresses)
    records = [(line.id, passwords.record(vault, line), at) for line in lines if line.password]
    await copy(writer, "passwords", ("user_id", "sealed", "changed_at"), records)
    looks = {look(name): user for user, name in names.items()}
    await writer.run(USER_SKELETONS, list(looks), list(looks.values()))
    await USER_VARIABLES.save(writer, variables_of(lines))
    await note_added(writer, USERS, list(names))
    await add_mutes(writer, lines, by)


def variables_of(lines: Iterable[UserLine]) -> dict[tuple[UUID, UUID], Scalar | None]:
    return {
        (line.id, variable): value
        for line in lines
        for variable, value in (line.variables or {}).items()
    }


USER_COLUMNS = ("id", "name", "name_key", "email", *POWERS, "created_at", "language")


def _user(line: UserLine, at: datetime) -> tuple[Any, ...]:
    powers = line.powers or ()
    return (
        line.id,
        line.name,
        fold(str(line.name)),
        line.email,
        *(power in powers for power in POWERS),
        line.created_at or at,
        line.language or None,
    )


# Of names that look alike one is entered, as for those from before that rule; all are kept.
USER_SKELETONS: LiteralString = """
    INSERT INTO user_skeletons (skeleton, user_id)
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS new (skeleton, user_id) ORDER BY skeleton
    ON CONFLICT DO NOTHING
"""


# ── Characters ──


async def add_players(
    writer: Writer,
    lines: Sequence[PlayerLine],
    catalog: KnownCatalog,
    at: datetime,
    action_id: UUID,
) -> None:
    """Write characters that have a user_id, a name and a class_id, with all they own."""
    if not lines:
        return
    ids = [line.id for line in lines]
    names = {line.id: str(line.name) for line in lines}
    await copy(writer, "players", PLAYER_COLUMNS, [_player(line, catalog, at) for line in lines])
    keys = sorted((fold(name), player) for player, name in names.items())
    await copy(writer, "player_names", ("name_key", "player_id"), keys)
    looks = {look(name): player for player, name in names.items()}
    await writer.run(PLAYER_SKELETONS, list(looks), list(looks.values()))
    await _add_items(writer, lines)
    await add_letters(writer, lines, catalog)
    await copy(
        writer,
        "player_spells",
        ("player_id", "slot", "spell_id"),
        [(line.id, spell.slot, spell.spell_id) for line in lines for spell in line.spells or ()],
    )
    await _add_variables(writer, lines)
    await save_extras(writer, lines)
    then = await writer.value("SELECT statement_timestamp()")
    await writer.run(POSTINGS, ids, action_id, then)
    await writer.run(HEADS, ids, then)
    await keep_positions(writer, lines)
    await note_added(writer, RANK, ids)
    await note_added(writer, PLAYERS, ids)


SHEET = (
    *("class_id", "gender", "stat_points", "vitals", "max_vitals", "base_stats"),
    *("stat_point_allocations", "equipment", "map_id", "map_name", "x", "y", "z", "dir"),
    *("sprite", "face", "name_color"),
)
PLAYER_COLUMNS = (
    *("id", "user_id", "name", "name_key", "level", "exp", "last_online", "created_at"),
    *("play_time_seconds", *SHEET),
)


def _player(line: PlayerLine, catalog: KnownCatalog, at: datetime) -> tuple[Any, ...]:
    kind = catalog.classes[cast(UUID, line.class_id)]
    level = line.level or 1
    usual = vitals_at(kind, level)
    most = line.max_vitals or [max(pair) for pair in zip(usual, line.vitals or usual, strict=True)]
    defaults = replace(blank(kind), vitals=most, max_vitals=most)
    return (
        line.id,
        line.user_id,
        line.name,
        fold(str(line.name)),
        level,
        line.exp or 0,
        line.last_online or None,
        line.created_at or at,
        line.play_time_seconds or 0,
        *(
            getattr(defaults, name) if (value := getattr(line, name)) is UNSET else value
            for name in SHEET
        ),
    )


async def _add_items(writer: Writer, lines: Sequence[PlayerLine]) -> None:
    bags: Rows = []
    slots: Rows = []
    inside: Rows = []
    for line, place, slot in _slots(lines):
        bag = slot.bag
        bag_id = bag.id if bag else None
        slots.append(
            (line.id, place, bag_id, slot.slot, slot.item_id, slot.quantity, slot.stat_buffs)
        )
        if bag:
            bags.append((line.id, bag.id, bag.slot_count))
            inside += [
                (line.id, bag.id, slot.slot, slot.item_id, slot.quantity, slot.stat_buffs)
                for slot in bag.slots
            ]
    await copy(writer, "bags", ("player_id", "id", "slot_count"), bags)
    owners = sorted((bag, player) for player, bag, _ in bags)
    await copy(writer, "bag_owners", ("bag_id", "player_id"), owners)
    contents = ("slot", "item_id", "quantity", "stat_buffs")
    await _copy_stacks(writer, "slots", ("player_id", "place", "bag_id", *contents), slots)
    await _copy_stacks(writer, "bag_slots", ("player_id", "bag_id", *contents), inside)


async def _copy_stacks(writer: Writer, table: str, columns: Sequence[str], rows: Rows) -> None:
    """Rows that end with their buffs. Most have none, and no array is written in less time."""
    await copy(writer, table, columns[:-1], [row[:-1] for row in rows if row[-1] == NO_BUFFS])
    await copy(writer, table, columns, [row for row in rows if row[-1] != NO_BUFFS])


def _slots(lines: Sequence[PlayerLine]) -> Iterator[tuple[PlayerLine, str, Any]]:
    for line in lines:
        for slot in line.inventory or ():
            yield line, "inventory", slot
        for slot in line.bank or ():
            yield line, "bank", slot


async def _add_variables(writer: Writer, lines: Sequence[PlayerLine]) -> None:
    given = [
        (line.id, variable, msgspec.json.encode(value).decode())
        for line in lines
        for variable, value in (line.variables or {}).items()
    ]
    if given:
        await writer.run(
            """
            INSERT INTO player_variables (player_id, variable_id, value)
            SELECT player_id, variable_id, value::jsonb
              FROM unnest($1::uuid[], $2::uuid[], $3::text[])
                   AS new (player_id, variable_id, value)
            """,
            *map(list, zip(*given, strict=True)),
        )


async def save_extras(writer: Writer, lines: Iterable[PlayerLine]) -> None:
    """Store what nothing here reads, for the characters whose lines have some."""
    given = {
        line.id: msgspec.json.encode(line.extras).decode()
        for line in lines
        if line.extras is not UNSET
    }
    if given:
        await writer.run(
            """
            INSERT INTO player_extras (player_id, data)
            SELECT player_id, data::jsonb
              FROM unnest($1::uuid[], $2::text[]) AS new (player_id, data)
            ON CONFLICT (player_id) DO UPDATE SET data = excluded.data
             WHERE player_extras.data <> excluded.data
            """,
            list(given),
            list(given.values()),
        )


PLAYER_SKELETONS: LiteralString = """
    INSERT INTO player_skeletons (skeleton, player_id)
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS new (skeleton, player_id) ORDER BY skeleton
    ON CONFLICT DO NOTHING
"""

POSTINGS: LiteralString = """
    INSERT INTO postings (player_id, seq, at, action_id, place, inside, slot, item_id,
                          quantity, against, held_before, held_after, stat_buffs, bag_id)
    SELECT player_id, row_number() OVER (PARTITION BY player_id ORDER BY rank, inside, slot),
           $3, $2, place, inside, slot, item_id, quantity, 'import', 0, quantity, stat_buffs, bag_id
      FROM (SELECT player_id, place::text AS place,
                   CASE place WHEN 'inventory' THEN 0 ELSE 1 END AS rank, NULL::uuid AS inside,
                   slot, item_id, quantity, stat_buffs, bag_id
              FROM slots WHERE player_id = ANY($1)
            UNION ALL
            SELECT player_id, 'bag', 2, bag_id, slot, item_id, quantity, stat_buffs, NULL
              FROM bag_slots WHERE player_id = ANY($1)
            UNION ALL
            SELECT player_id, 'mail', 3, letter_id, slot, item_id, quantity, stat_buffs, bag_id
              FROM letter_slots WHERE player_id = ANY($1)) AS held
"""

HEADS: LiteralString = """
    INSERT INTO ledger_heads (player_id, seq, at)
    SELECT player_id, count(*), $2
      FROM (SELECT player_id FROM slots WHERE player_id = ANY($1)
            UNION ALL
            SELECT player_id FROM bag_slots WHERE player_id = ANY($1)
            UNION ALL
            SELECT player_id FROM letter_slots WHERE player_id = ANY($1)) AS held
     GROUP BY player_id
"""


async def note_added(writer: Writer, listing: Ordering, ids: Sequence[UUID]) -> None:
    """Record the deltas of new rows, with the keys that the database makes of them."""
    await writer.run(
        f"""
        INSERT INTO list_deltas (list, key, change)
        SELECT '{listing.name}', {listing.key}, 1 FROM {listing.table} WHERE id = ANY($1)
        """,
        ids,
    )
