"""
Point-in-time queries: the items, spells and variables of a character at any instant.

They read backwards from the present: a slot's contents are the present ones, unless
there are later postings to it; then the first of them has the contents before it. If there is
a checkpoint after the instant, they read backwards from that instead, so at most about 1,000
postings. For spells and variables, actions serve the same way; they have no checkpoints, so
that cost grows with what happened since. A change at exactly the instant is included; a future
instant gives the present state.
"""

from datetime import datetime
from typing import Literal, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variables import DEFAULTS, Type, VariableNotFound
from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.guilds import lookup
from gamekeeper.ledger import retention
from gamekeeper.ledger.places import HELD_BY_GUILDS, HELD_BY_PLAYERS
from gamekeeper.players.inventory import Place
from gamekeeper.players.items import padded
from gamekeeper.players.lookup import find_player_id
from gamekeeper.players.records import Bag, Items, Slot
from gamekeeper.players.rules import BagNotFound
from gamekeeper.players.spells import KnownSpell
from gamekeeper.players.variables import PlayerVariable

Where = Literal["inventory", "bank", "bag", "mail"]

MAX_SEQ: LiteralString = "9223372036854775807"


class HeldStack(Struct, frozen=True, kw_only=True):
    """The contents of one slot."""

    place: Where
    inside: UUID | None
    """The bag or the letter, if the place is one."""
    slot: int
    item_id: UUID
    quantity: int
    stat_buffs: list[int]
    bag_id: UUID | None


async def held(reader: Queryable, player: UUID, at: datetime) -> list[HeldStack]:
    """Everything a player held at an instant: in inventory, bank, bags and letters."""
    found = await reader.all(HeldStack, HELD_AT, player, at)
    await retention.check(reader, at)
    return found


# Times are in the order of the numbers, so the checkpoints on both sides of the instant bound the
# postings that are read. One scan of them: planning each takes longer than reading 1,000 rows.
def _held_at(present: LiteralString) -> LiteralString:
    """What the owner $1 held at the instant $2; `present` is what owners hold now."""
    return f"""
        WITH after AS MATERIALIZED (
            SELECT seq, contents
              FROM ledger_checkpoints
             WHERE player_id = $1 AND at > $2
             ORDER BY at, seq
             LIMIT 1
        ), later AS MATERIALIZED (
            SELECT DISTINCT ON (place, inside, slot)
                   place, inside, slot, item_id, held_before, stat_buffs, bag_id
              FROM postings
             WHERE player_id = $1 AND at > $2
               AND seq > coalesce((SELECT seq
                                     FROM ledger_checkpoints
                                    WHERE player_id = $1 AND at <= $2
                                    ORDER BY at DESC, seq DESC
                                    LIMIT 1), 0)
               AND seq <= coalesce((SELECT seq FROM after), {MAX_SEQ})
             ORDER BY place, inside, slot, seq
        ), known AS (
            SELECT place, inside, slot, item_id, quantity, stat_buffs, bag_id
              FROM ({present}) AS held
             WHERE owner_id = $1 AND NOT EXISTS (SELECT FROM after)
            UNION ALL
            SELECT place, inside, slot, item_id, quantity, stat_buffs, bag_id
              FROM after, jsonb_to_recordset(contents)
                   AS stack (place text, inside uuid, slot int, item_id uuid, quantity int,
                             stat_buffs int[], bag_id uuid)
        )
        SELECT place, inside, slot, item_id, quantity, stat_buffs, bag_id
          FROM known
         WHERE NOT EXISTS (SELECT
                             FROM later
                            WHERE later.place = known.place AND later.slot = known.slot
                              AND later.inside IS NOT DISTINCT FROM known.inside)
        UNION ALL
        SELECT place, inside, slot, item_id, held_before, stat_buffs, bag_id
          FROM later
         WHERE held_before > 0
         ORDER BY place, slot
    """


HELD_AT: LiteralString = _held_at(HELD_BY_PLAYERS)
GUILD_BANK_AT: LiteralString = _held_at(HELD_BY_GUILDS)


async def guild_bank(reader: Reader, guild: UUID, at: datetime) -> list[Slot]:
    """Every slot of a guild's bank at an instant, with the empty ones."""
    found = await lookup.find_guild(reader, guild)
    if found is None:
        raise lookup.missing(guild)
    rows = await reader.lookups.rows(GUILD_BANK_AT, guild, at)
    await retention.check(reader, at)
    columns = ("slot", "item_id", "quantity", "stat_buffs")
    filled = [Slot(**{name: row[name] for name in columns}) for row in rows]
    return padded(filled, found.bank_slots_count)


async def carried(reader: Reader, key: str, at: datetime) -> Items:
    """Every slot of a player's inventory and bank at an instant, with the empty ones."""
    found = await held(reader.lookups, await find_player_id(reader, key), at)
    return Items(
        inventory=padded(_slots(found, "inventory"), reader.settings.inventory_slots),
        bank=padded(_slots(found, "bank"), reader.settings.bank_slots),
    )


async def slots(reader: Reader, key: str, place: Place, at: datetime) -> list[Slot]:
    """Every slot of one place at an instant, with the empty ones."""
    everything = await carried(reader, key, at)
    return everything.inventory if place == "inventory" else everything.bank


def _slots(found: list[HeldStack], place: Where, inside: UUID | None = None) -> list[Slot]:
    return [
        Slot(
            slot=stack.slot,
            bag_id=stack.bag_id if place == "inventory" else None,
            item_id=stack.item_id,
            quantity=stack.quantity,
            stat_buffs=stack.stat_buffs,
        )
        for stack in found
        if (stack.place, stack.inside) == (place, inside)
    ]


class BagThen(Struct, frozen=True):
    player_id: UUID
    slot_count: int
    there: int


async def bag(reader: Reader, bag_id: UUID, at: datetime) -> Bag:
    """A bag and every slot in it at an instant, even if the bag no longer exists."""
    owner = await reader.value("SELECT player_id FROM bag_owners WHERE bag_id = $1", bag_id)
    then = await reader.one(
        BagThen,
        """
        WITH known AS (
            SELECT player_id, slot_count, true AS now
              FROM bags
             WHERE player_id = $3 AND id = $1
            UNION ALL
            SELECT player_id, greatest(bag_slots, 1), false
              FROM postings JOIN items ON items.id = item_id
             WHERE bag_id = $1
             ORDER BY now DESC
             LIMIT 1
        )
        SELECT player_id, slot_count,
               -- What is there now, without what came since, with what went since.
               now::int - coalesce((SELECT sum(quantity)
                                      FROM postings
                                     WHERE bag_id = $1 AND at > $2), 0)::int AS there
          FROM known
        """,
        bag_id,
        at,
        owner,
    )
    await retention.check(reader, at)
    if then is None or not then.there:
        raise BagNotFound
    inside = _slots(await held(reader.lookups, then.player_id, at), "bag", bag_id)
    return Bag(id=bag_id, slot_count=then.slot_count, slots=padded(inside, then.slot_count))


async def spells(reader: Reader, key: str, at: datetime) -> list[KnownSpell]:
    """The spells a player knew, by slot."""
    return await reader.all(
        KnownSpell,
        """
        WITH later AS MATERIALIZED (
            SELECT DISTINCT ON (spell_id) before, spell_id
              FROM actions
             CROSS JOIN LATERAL (SELECT coalesce(before, after) ->> 'spell_id') AS about (spell_id)
             WHERE player_id = $1 AND item_id IS NULL AND at > $2 AND spell_id IS NOT NULL
             ORDER BY spell_id, at, id
        )
        SELECT slot, spell_id
          FROM player_spells
         WHERE player_id = $1 AND spell_id NOT IN (SELECT spell_id::uuid FROM later)
        UNION ALL
        SELECT (before -> 'slot')::int, spell_id::uuid FROM later WHERE before IS NOT NULL
         ORDER BY slot
        """,
        await find_player_id(reader, key),
        at,
    )


async def variables_set(reader: Reader, key: str, at: datetime) -> list[PlayerVariable]:
    """The variables that had been set for a player."""
    rows = await reader.rows(
        """
        WITH later AS MATERIALIZED (
            SELECT DISTINCT ON (variable_id) variable_id::uuid, before -> 'value' AS value
              FROM actions
             CROSS JOIN LATERAL (SELECT coalesce(before, after) ->> 'variable_id')
                   AS about (variable_id)
             WHERE player_id = $1 AND item_id IS NULL AND at > $2 AND variable_id IS NOT NULL
             ORDER BY variable_id, at, id
        ), had AS (
            SELECT variable_id, value
              FROM player_variables
             WHERE player_id = $1 AND variable_id NOT IN (SELECT variable_id FROM later)
            UNION ALL
            SELECT variable_id, value FROM later WHERE value <> 'null'
        )
        SELECT variable_id, type, value
          FROM had JOIN variables ON variables.id = variable_id
         ORDER BY variable_id
        """,
        await find_player_id(reader, key),
        at,
    )
    return [_shown(row["variable_id"], row["type"], row["value"]) for row in rows]


async def variable(reader: Reader, key: str, variable_id: UUID, at: datetime) -> PlayerVariable:
    """One variable at an instant; if it had not been set, the default of its type."""
    had = {variable.variable_id: variable for variable in await variables_set(reader, key, at)}
    declared = (await catalog.find_variables(reader, [variable_id])).get(variable_id)
    if declared is None:
        raise VariableNotFound
    return had.get(variable_id) or _shown(variable_id, declared.type, None)


def _shown(variable_id: UUID, kind: Type, value: Scalar | None) -> PlayerVariable:
    value = DEFAULTS[kind] if value is None else value
    return PlayerVariable(
        variable_id=variable_id, value=float(value) if kind == "number" else value
    )
