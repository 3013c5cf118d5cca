"""The spells players know: listed, taught, forgotten."""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from gamekeeper import directories
from gamekeeper.catalog import spells as catalog
from gamekeeper.catalog.spells import Spell, UnknownSpell
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import Conflict, Problem
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.operations import Order, merged_operation
from gamekeeper.players.lookup import NAMES, lock_all, unknown
from gamekeeper.queries import query
from gamekeeper.shapes import Record


class SpellAlreadyKnown(Conflict):
    """The player knows that spell already."""


class SpellbookFull(Conflict):
    """The player has no free slot for another spell."""


class SpellNotKnown(Conflict):
    """The player does not know that spell."""


class SpellBound(Conflict):
    """That spell is bound to the character and cannot be forgotten."""


class KnownSpell(Record, frozen=True):
    slot: int
    spell_id: UUID


class Lesson(Order, frozen=True, kw_only=True):
    """A spell to teach to a player, or to make them forget."""

    player: str
    spell_id: UUID


Spellbook = dict[int, UUID]


async def known(reader: Reader, key: str) -> list[KnownSpell]:
    spells = await spellbooks.one(reader, key)
    if spells is None:
        raise unknown(key)
    return spells


@query
async def spellbooks(reader: Reader, keys: Sequence[str]) -> dict[str, list[KnownSpell]]:
    """What the players with these names or ids know, by slot."""
    found = await directories.read(
        reader,
        NAMES,
        """
        SELECT players.id, slot, spell_id
          FROM players LEFT JOIN player_spells ON player_id = players.id
         WHERE players.id = ANY($1)
         ORDER BY slot
        """,
        keys,
    )
    return {
        key: [KnownSpell(*row[1:]) for row in rows if row["spell_id"]]
        for key, rows in found.items()
    }


@merged_operation
async def teach(writer: Writer, orders: Sequence[Lesson]) -> list[Lesson | Problem]:
    """Teach players spells, each in the lowest free slot."""
    spells, players, books = await _open(writer, orders)
    new: list[tuple[UUID, int, UUID]] = []

    def learn(order: Lesson, player: UUID, book: Spellbook) -> Lesson | Problem:
        if order.spell_id in book.values():
            return SpellAlreadyKnown()
        free = set(range(writer.settings.spell_slots)) - book.keys()
        if not free:
            return SpellbookFull()
        book[min(free)] = order.spell_id
        new.append((player, min(free), order.spell_id))
        return order

    outcomes = [
        _refusal(order, spells, player) or learn(order, player, books[player])
        for order, player in zip(orders, players, strict=True)
    ]
    await writer.run(
        """
        INSERT INTO player_spells (player_id, slot, spell_id)
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[])
        """,
        *_columns(new),
    )
    await _record(writer, "spells.teach", orders, outcomes, new)
    return outcomes


@merged_operation
async def forget(writer: Writer, orders: Sequence[Lesson]) -> list[Lesson | Problem]:
    """Make players forget spells, unless they are bound to the character."""
    spells, players, books = await _open(writer, orders)
    gone: list[tuple[UUID, int, UUID]] = []

    def unlearn(order: Lesson, player: UUID, book: Spellbook) -> Lesson | Problem:
        slot = next((slot for slot, spell in book.items() if spell == order.spell_id), None)
        if slot is None:
            return SpellNotKnown()
        if spells[order.spell_id].bound:
            return SpellBound()
        del book[slot]
        gone.append((player, slot, order.spell_id))
        return order

    outcomes = [
        _refusal(order, spells, player) or unlearn(order, player, books[player])
        for order, player in zip(orders, players, strict=True)
    ]
    await writer.run(
        """
        DELETE FROM player_spells
         USING unnest($1::uuid[], $2::int[], $3::uuid[]) AS gone (player_id, slot, spell_id)
         WHERE player_spells.player_id = ANY($1)
           AND player_spells.player_id = gone.player_id AND player_spells.slot = gone.slot
        """,
        *_columns(gone),
    )
    await _record(writer, "spells.forget", orders, outcomes, gone)
    return outcomes


async def _record(
    writer: Writer,
    kind: Literal["spells.teach", "spells.forget"],
    orders: Sequence[Lesson],
    outcomes: Sequence[Lesson | Problem],
    changed: Sequence[tuple[UUID, int, UUID]],
) -> None:
    """Write the actions down, each with the slot, without which the past could not be shown."""
    done = [order for order, outcome in zip(orders, outcomes, strict=True) if outcome is order]
    known, unknown = ("after", "before") if kind == "spells.teach" else ("before", "after")
    await actions.record(
        writer,
        [
            Action(
                kind=kind,
                by=order.by,
                player_id=player,
                **{known: {"spell_id": spell, "slot": slot}, unknown: None},
            )
            for order, (player, slot, spell) in zip(done, changed, strict=True)
        ],
    )


async def _open(
    writer: Writer, orders: Sequence[Lesson]
) -> tuple[dict[UUID, Spell], list[Any], dict[UUID, Spellbook]]:
    """The spells meant, the players meant (locked; None if unknown), and what these know."""
    spells = await catalog.known(writer, {order.spell_id for order in orders})
    players = await lock_all(writer, [order.player for order in orders])
    books: dict[UUID, Spellbook] = {player: {} for player in players if player}
    rows = await writer.rows(
        "SELECT player_id, slot, spell_id FROM player_spells WHERE player_id = ANY($1)",
        list(books),
    )
    for row in rows:
        books[row["player_id"]][row["slot"]] = row["spell_id"]
    return spells, players, books


def _refusal(order: Lesson, spells: dict[UUID, Spell], player: UUID | None) -> Problem | None:
    if order.spell_id not in spells:
        return UnknownSpell()
    return None if player else unknown(order.player)


def _columns(
    rows: Sequence[tuple[UUID, int, UUID]],
) -> tuple[list[UUID], list[int], list[UUID]]:
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]
