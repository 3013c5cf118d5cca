"""Spells of players: list, teach, forget."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import UNSET, UnsetType

from gamekeeper.catalog.spells import UnknownSpell
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db import unique_names
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, batched_operation
from gamekeeper.db.queries import batched_query
from gamekeeper.db.unique_names import ByKey
from gamekeeper.ledger.actions import Action
from gamekeeper.players.lookup import unknown
from gamekeeper.players.state import Needs, State


class SpellAlreadyKnown(Conflict):
    """The player already knows this spell."""


class SpellbookFull(Conflict):
    """The player has no free slot for another spell."""


class SpellNotKnown(Conflict):
    """The player does not know that spell."""


class SpellBound(Conflict):
    """That spell is bound to the character and cannot be forgotten."""


class KnownSpell(Record, frozen=True):
    slot: int
    spell_id: UUID
    spell_name: str | UnsetType = UNSET
    """With `names`: the spell's name."""


class Lesson(Command, frozen=True, kw_only=True):
    """A spell that a player is to learn or to forget."""

    player: str
    spell_id: UUID


async def known_spells(reader: Reader, key: str) -> list[KnownSpell]:
    spells = await spellbooks.one(reader, key)
    if spells is None:
        raise unknown(key)
    return spells


@batched_query
async def spellbooks(reader: Reader, keys: Sequence[str]) -> dict[str, list[KnownSpell]]:
    """The spells of the players with these names or ids, by slot."""
    found = await unique_names.read(reader, SPELLS, keys)
    return {
        key: [KnownSpell(*row[1:]) for row in rows if row["spell_id"]]
        for key, rows in found.items()
    }


SPELLS = ByKey.of(
    "players",
    """
    SELECT key, slot, spell_id
      FROM {owners}
      LEFT JOIN LATERAL (
           SELECT * FROM player_spells WHERE player_id = players.id OFFSET 0) AS spells ON true
     ORDER BY slot
    """,
)


@batched_operation
async def teach(writer: Writer, commands: Sequence[Lesson]) -> list[Lesson | Problem]:
    """Teach players spells, each in the lowest free slot."""
    return await _change(writer, commands, teach=True)


@batched_operation
async def forget(writer: Writer, commands: Sequence[Lesson]) -> list[Lesson | Problem]:
    """Make players forget spells, except spells bound to the character."""
    return await _change(writer, commands, teach=False)


async def _change(
    writer: Writer, commands: Sequence[Lesson], *, teach: bool
) -> list[Lesson | Problem]:
    needs = Needs(spells={command.spell_id for command in commands})
    state = await State.lock(writer, [command.player for command in commands], needs)

    def lesson(command: Lesson) -> Lesson:
        if command.spell_id not in state.known_spells:
            raise UnknownSpell
        player = state.player(command.player)
        before, after = change(state, player, command.spell_id, teach=teach)
        kind = "spells.teach" if teach else "spells.forget"
        state.record(Action(kind=kind, by=command.by, player_id=player, before=before, after=after))
        return command

    outcomes = [state.attempt(lambda command=command: lesson(command)) for command in commands]
    await state.save(writer)
    return outcomes


Page = dict[str, Any] | None
"""A spell in an action: its id and its slot, which point-in-time queries need."""


def change(
    state: State, player: UUID, spell: UUID, *, teach: bool, slot: int | None = None
) -> tuple[Page, Page]:
    """
    Teach a spell, or forget it; returns its spellbook entry before and after.

    A taught spell goes into `slot` if that is free, otherwise into the lowest free slot.
    """
    book = {
        page: spell_id
        for (whose, page), spell_id in state.spells.items().items()
        if whose == player
    }
    known = next((page for page, spell_id in book.items() if spell_id == spell), None)
    if not teach:
        return _forgotten(state, player, spell, known), None
    if known is not None:
        raise SpellAlreadyKnown
    free = [page for page in range(state.settings.spell_slots) if page not in book]
    if not free:
        raise SpellbookFull
    page = slot if slot in free else free[0]
    state.spells.put((player, page), spell)
    return None, {"spell_id": spell, "slot": page}


def _forgotten(state: State, player: UUID, spell: UUID, known: int | None) -> Page:
    if known is None:
        raise SpellNotKnown
    if spell in state.known_spells and state.known_spells[spell].bound:
        raise SpellBound
    state.spells.put((player, known), None)
    return {"spell_id": spell, "slot": known}
