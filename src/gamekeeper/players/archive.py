"""
The archive of deleted characters (soft delete): archive and restore them completely.

A deleted character leaves every table except those of history, so no other query has to
filter it out. Postings remove its items and postings return them: each deletion is a loss
identified by its action, and the items return out of exactly that loss.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.names import fold, look
from gamekeeper.db.database import Writer
from gamekeeper.db.paging.orderings import (
    PLAYERS,
    RANK,
    CountDelta,
    added,
    by_name,
    by_rank,
    record_deltas,
    removed,
)
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Against
from gamekeeper.players import memberships, presences
from gamekeeper.players.inventory import InLetter, Inventory, PostingContext, Stack


class Archived(Struct, frozen=True):
    """A deleted character, with the fields needed to decide whether it can be restored."""

    player_id: UUID
    user_id: UUID
    name: str
    class_id: UUID
    level: int


class Returning(Struct, frozen=True):
    """A deleted character to restore, under which name and by which action."""

    player_id: UUID
    name: str
    action_id: UUID


async def find(writer: Writer, players: Sequence[UUID], *, lock: bool) -> dict[UUID, Archived]:
    """The deleted characters among `players`."""
    rows = await writer.rows(FIND_AND_LOCK if lock else FIND, list(players))
    return {
        row["player_id"]: Archived(
            player_id=row["player_id"],
            user_id=row["user_id"],
            name=row["name"],
            class_id=UUID(row["class_id"]),
            level=row["level"],
        )
        for row in rows
    }


FIND: LiteralString = """
    SELECT player_id, user_id, name, kept -> 'player' ->> 'class_id' AS class_id,
           (kept -> 'player' ->> 'level')::int AS level
      FROM deleted_players
     WHERE player_id = ANY($1)
     ORDER BY player_id
"""
FIND_AND_LOCK: LiteralString = FIND + " FOR UPDATE"


async def holdings(writer: Writer, players: Sequence[UUID | None]) -> dict[UUID, Counter[UUID]]:
    """How many of each item the deleted characters among `players` had, in all places."""
    rows = await writer.rows(HOLDINGS, list(players))
    held: dict[UUID, Counter[UUID]] = {}
    for row in rows:
        held.setdefault(row["player_id"], Counter())[row["item_id"]] = row["quantity"]
    return held


HOLDINGS: LiteralString = """
    SELECT player_id, (slot ->> 'item_id')::uuid AS item_id,
           sum((slot ->> 'quantity')::int) AS quantity
      FROM deleted_players
     CROSS JOIN LATERAL jsonb_array_elements(
               coalesce(nullif(kept -> 'slots', 'null'), '[]')
               || coalesce(nullif(kept -> 'bag_slots', 'null'), '[]')
               || coalesce(nullif(kept -> 'letter_slots', 'null'), '[]')) AS slot
     WHERE player_id = ANY($1)
     GROUP BY player_id, item_id
"""


# ── Deleting ──


async def put_away(writer: Writer, deleted: Mapping[UUID, UUID], against: Against) -> None:
    """Archive locked players, each by its action; postings remove their items."""
    if not deleted:
        return
    players = list(deleted)
    servers = await presences.close(writer, await presences.there(writer, players))
    rows = await writer.rows(PUT_AWAY, players, list(deleted.values()))
    # By postings, not by deleting rows: the ledger must still add up to zero for each item.
    await _remove_items(writer, deleted, against)
    await _remove_traits(writer, rows)
    await memberships.end(writer, players, list(deleted.values()))
    gone = await writer.rows("SELECT remove_archived_players($1) AS id", players)
    assert len(gone) == len(players), "data of a deleted character is left"
    await record_deltas(writer, [removed(delta.listing, delta.key) for delta in _places(rows)])
    await presences.count(writer, {}, servers)


# Runs before the items are removed, so that the archive keeps the equipment.
PUT_AWAY: LiteralString = """
    INSERT INTO deleted_players (player_id, user_id, name, action_id, kept)
    SELECT players.id, user_id, name, deleted.action_id,
           jsonb_build_object(
               'player', to_jsonb(players),
               'bags', (SELECT jsonb_agg(to_jsonb(bags))
                          FROM bags WHERE bags.player_id = players.id),
               'slots', (SELECT jsonb_agg(to_jsonb(slots))
                           FROM slots WHERE slots.player_id = players.id),
               'bag_slots', (SELECT jsonb_agg(to_jsonb(bag_slots))
                               FROM bag_slots WHERE bag_slots.player_id = players.id),
               'letters', (SELECT jsonb_agg(to_jsonb(letters))
                             FROM letters WHERE letters.player_id = players.id),
               'letter_slots', (SELECT jsonb_agg(to_jsonb(letter_slots))
                                  FROM letter_slots
                                 WHERE letter_slots.player_id = players.id),
               'spells', (SELECT jsonb_agg(to_jsonb(player_spells))
                            FROM player_spells WHERE player_spells.player_id = players.id),
               'variables', (SELECT jsonb_agg(to_jsonb(player_variables))
                               FROM player_variables
                              WHERE player_variables.player_id = players.id),
               'guild', (SELECT to_jsonb(guild_members)
                           FROM guild_members WHERE guild_members.player_id = players.id),
               'extras', (SELECT data FROM player_extras
                           WHERE player_extras.player_id = players.id))
      FROM players
      JOIN unnest($1::uuid[], $2::uuid[]) AS deleted (player_id, action_id)
        ON deleted.player_id = players.id
     WHERE players.id = ANY($1)
    RETURNING player_id AS id, name, (kept -> 'player' ->> 'level')::int AS level,
              (kept -> 'player' ->> 'exp')::bigint AS exp
"""


async def _remove_items(writer: Writer, deleted: Mapping[UUID, UUID], against: Against) -> None:
    players = list(deleted)
    inventory = Inventory()
    await inventory.load(writer, players)
    await inventory.load_bags(writer, players)
    await inventory.load_letters(writer, players)
    # All bags: older data may have a bag that is in no slot.
    bags = await writer.rows("SELECT player_id, id FROM bags WHERE player_id = ANY($1)", players)
    # Remove the contents of a bag before the bag.
    inside = {(row["player_id"], row["id"]) for row in bags}
    for player, place in sorted(inventory.containers(), key=lambda held: held not in inside):
        context = PostingContext(deleted[player], against)
        for slot in sorted(inventory.at(player, place)):
            inventory.set_slot((player, place, slot), None, context)
    for row in bags:
        inventory.remove_bag(row["player_id"], row["id"])
    await actions.post(writer, await inventory.save(writer))


async def _remove_traits(writer: Writer, rows: Sequence[Any]) -> None:
    players = [row["id"] for row in rows]
    await writer.run("DELETE FROM letters WHERE player_id = ANY($1)", players)
    await writer.run("DELETE FROM player_spells WHERE player_id = ANY($1)", players)
    await writer.run("DELETE FROM player_variables WHERE player_id = ANY($1)", players)
    await writer.run("DELETE FROM player_extras WHERE player_id = ANY($1)", players)
    # Explicit: the tables of unique names may be on another machine, which no cascade reaches.
    await writer.run(
        "DELETE FROM player_names WHERE name_key = ANY($1) AND player_id = ANY($2)",
        [fold(row["name"]) for row in rows],
        players,
    )
    await writer.run(
        "DELETE FROM player_skeletons WHERE skeleton = ANY($1) AND player_id = ANY($2)",
        [look(row["name"]) for row in rows],
        players,
    )


def _places(rows: Sequence[Any]) -> list[CountDelta]:
    """The entries of characters in the counted orderings."""
    return [
        delta
        for row in rows
        for delta in (
            added(RANK, by_rank(row["level"], row["exp"], row["id"])),
            added(PLAYERS, by_name(fold(row["name"]), row["id"])),
        )
    ]


# ── Restoring ──


async def bring_back(writer: Writer, returns: Sequence[Returning]) -> None:
    """
    Restore archived players with all they had; their archive rows must be locked.

    The caller saves the ownership of the names (names.py).
    """
    if not returns:
        return
    players = [returning.player_id for returning in returns]
    rows = await writer.rows(
        BRING_BACK,
        players,
        [returning.name for returning in returns],
        [fold(returning.name) for returning in returns],
    )
    # Before the items, some of which are in letters.
    await writer.run(RETURN_LETTERS, players)
    await _return_items(writer, {returning.player_id: returning.action_id for returning in returns})
    await writer.run(RETURN_SPELLS, players)
    await writer.run(RETURN_VARIABLES, players)
    await memberships.renew(writer, players)
    await writer.run(RETURN_EXTRAS, players)
    await writer.run("DELETE FROM deleted_players WHERE player_id = ANY($1)", players)
    await record_deltas(writer, _places(rows))


# Explicit columns: a column that a later version adds gets its default.
BRING_BACK: LiteralString = """
    INSERT INTO players (id, user_id, name, name_key, class_id, gender, level, exp, stat_points,
                         vitals, max_vitals, base_stats, stat_point_allocations, equipment,
                         map_id, map_name, x, y, z, dir, sprite, face, name_color, last_online,
                         created_at, play_time_seconds)
    SELECT old.id, old.user_id, new.name, new.name_key, class_id, gender, level, exp, stat_points,
           vitals, max_vitals, base_stats, stat_point_allocations, equipment,
           map_id, map_name, x, y, z, dir, sprite, face, name_color, last_online,
           created_at, play_time_seconds
      FROM deleted_players
      JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS new (player_id, name, name_key)
        ON new.player_id = deleted_players.player_id
     CROSS JOIN LATERAL jsonb_populate_record(NULL::players, kept -> 'player') AS old
     WHERE deleted_players.player_id = ANY($1)
    RETURNING id, name, level, exp
"""

# jsonb_agg of no rows is null, which is stored as the JSON value null: nullif removes it.
RETURN_SPELLS: LiteralString = """
    INSERT INTO player_spells (player_id, slot, spell_id)
    SELECT old.player_id, old.slot, old.spell_id
      FROM deleted_players
     CROSS JOIN LATERAL jsonb_populate_recordset(
               NULL::player_spells, nullif(kept -> 'spells', 'null')) AS old
     WHERE deleted_players.player_id = ANY($1)
"""

RETURN_VARIABLES: LiteralString = """
    INSERT INTO player_variables (player_id, variable_id, value)
    SELECT old.player_id, old.variable_id, old.value
      FROM deleted_players
     CROSS JOIN LATERAL jsonb_populate_recordset(
               NULL::player_variables, nullif(kept -> 'variables', 'null')) AS old
     WHERE deleted_players.player_id = ANY($1)
"""


RETURN_LETTERS: LiteralString = """
    INSERT INTO letters (player_id, id, state, sender_kind, sender_id, sender_name, subject, text,
                         attached, sent_at, expires_at, on_expiry, read_at, ended_at)
    SELECT old.player_id, old.id, state, sender_kind, sender_id, sender_name, subject, text,
           attached, sent_at, expires_at, on_expiry, read_at, ended_at
      FROM deleted_players
     CROSS JOIN LATERAL jsonb_populate_recordset(
               NULL::letters, nullif(kept -> 'letters', 'null')) AS old
     WHERE deleted_players.player_id = ANY($1)
"""

RETURN_EXTRAS: LiteralString = """
    INSERT INTO player_extras (player_id, data)
    SELECT player_id, kept -> 'extras'
      FROM deleted_players
     WHERE player_id = ANY($1) AND jsonb_typeof(kept -> 'extras') = 'object'
"""


async def _return_items(writer: Writer, returns: Mapping[UUID, UUID]) -> None:
    rows = await writer.rows(
        """
        SELECT player_id, action_id, kept -> 'bags' AS bags, kept -> 'slots' AS slots,
               kept -> 'bag_slots' AS bag_slots, kept -> 'letter_slots' AS letter_slots
          FROM deleted_players
         WHERE player_id = ANY($1)
        """,
        list(returns),
    )
    inventory = Inventory()
    for row in rows:
        player = row["player_id"]
        context = PostingContext(returns[player], "undo", row["action_id"])
        for bag in row["bags"] or []:
            inventory.bag_sizes[UUID(bag["id"])] = bag["slot_count"]
            inventory.add_bag(player, UUID(bag["id"]))
        for slot in row["slots"] or []:
            inventory.set_slot((player, slot["place"], slot["slot"]), _stack(slot), context)
        for slot in row["bag_slots"] or []:
            inside = _stack(slot | {"bag_id": None})
            inventory.set_slot((player, UUID(slot["bag_id"]), slot["slot"]), inside, context)
        for slot in row["letter_slots"] or []:
            container = InLetter(UUID(slot["letter_id"]))
            inventory.set_slot((player, container, slot["slot"]), _stack(slot), context)
    await actions.post(writer, await inventory.save(writer))


def _stack(slot: Mapping[str, Any]) -> Stack:
    bag = slot["bag_id"]
    return Stack(
        item_id=UUID(slot["item_id"]),
        quantity=slot["quantity"],
        stat_buffs=tuple(slot["stat_buffs"]),
        bag_id=UUID(bag) if bag else None,
    )
