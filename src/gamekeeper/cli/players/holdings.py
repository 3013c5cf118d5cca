"""``gamekeeper players`` inventory, bank, spells, variables, at: what a character has, or had."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
import typer

from gamekeeper.cli import names
from gamekeeper.cli.command import Depends, Output, Part, TextTable, command
from gamekeeper.cli.names import FoundPlayer, Ids, shown
from gamekeeper.cli.options import AtOption
from gamekeeper.cli.times import InUtc, TerminalClock
from gamekeeper.core.ids import NIL
from gamekeeper.db.database import Database, Reader
from gamekeeper.history import as_of
from gamekeeper.players import items
from gamekeeper.players import spells as spellbooks
from gamekeeper.players import variables as variable_values
from gamekeeper.players.records import Player, Slot

Names = dict[UUID, str]

NO_BUFFS = {0}


class View(NamedTuple):
    """The instant to show, None for now, and whether to show ids."""

    then: datetime | None
    ids: bool

    def verb(self, now: str, then: str) -> str:
        return now if self.then is None else then


def _view(at: AtOption = None, ids: Ids = False, utc: InUtc = False) -> View:  # noqa: FBT002
    return View(TerminalClock(utc=utc).maybe(at), ids)


ViewOptions = Annotated[View, Depends(_view)]


@command
async def inventory(database: Database, player: FoundPlayer, *, view: ViewOptions) -> Output:
    """Show a character's inventory, now or at a past time."""
    nothing = f"{player.name} {view.verb('carries', 'carried')} nothing."
    return await _place(database.reader, player, "inventory", view, nothing)


@command
async def bank(database: Database, player: FoundPlayer, *, view: ViewOptions) -> Output:
    """Show a character's bank, now or at a past time."""
    nothing = f"{player.name} {view.verb('has', 'had')} nothing in the bank."
    return await _place(database.reader, player, "bank", view, nothing)


async def _place(
    reader: Reader, player: Player, place: items.Place, view: View, nothing: str
) -> Output:
    if view.then is None:
        slots = await items.slots(reader, str(player.id), place)
    else:
        slots = await as_of.slots(reader, str(player.id), place, view.then)
    known = await names.names_of(reader, "item", [slot.item_id for slot in slots])
    records, filled = _named(slots, known), _filled(slots)
    if not filled:
        return Output(records, nothing)
    count = f"{len(filled)} of {len(slots)} slots are filled."
    return Output(records, _slot_table(slots, known, ids=view.ids), count)


def _filled(slots: Sequence[Slot]) -> list[Slot]:
    return [slot for slot in slots if slot.item_id != NIL]


def _slot_table(slots: Sequence[Slot], known: Names, *, ids: bool) -> TextTable:
    rows = [
        [
            str(slot.slot),
            shown(known, slot.item_id),
            f"{slot.quantity:,}",
            "" if set(slot.stat_buffs) <= NO_BUFFS else " ".join(f"{b:+}" for b in slot.stat_buffs),
            *([str(slot.item_id), str(slot.bag_id or "")] if ids else []),
        ]
        for slot in _filled(slots)
    ]
    more = ["item's id", "bag's id"] if ids else []
    return TextTable(["slot", "item", "quantity", "stat buffs", *more], rows)


def _named(records: Sequence[msgspec.Struct], known: Names) -> list[dict[str, object]]:
    """Records as the API shows them, with the names of their entries of the catalog."""
    fields = ("item_id", "spell_id", "variable_id")
    return [
        msgspec.to_builtins(record)
        | {
            "Name": next(
                (known.get(id_) for name in fields if (id_ := getattr(record, name, None))), None
            )
        }
        for record in records
    ]


@command
async def spells(database: Database, player: FoundPlayer, *, view: ViewOptions) -> Output:
    """Show the spells that a character knows, now or at a past time."""
    reader, id_ = database.reader, str(player.id)
    if view.then is None:
        found = await spellbooks.known_spells(reader, id_)
    else:
        found = await as_of.spells(reader, id_, view.then)
    known = await names.names_of(reader, "spell", [spell.spell_id for spell in found])
    records = _named(found, known)
    if not found:
        return Output(records, f"{player.name} {view.verb('knows', 'knew')} no spells.")
    rows = [[str(spell.slot), shown(known, spell.spell_id, ids=view.ids)] for spell in found]
    return Output(records, TextTable(["slot", "spell"], rows))


@command
async def variables(database: Database, player: FoundPlayer, *, view: ViewOptions) -> Output:
    """Show the variables set for a character, now or at a past time."""
    reader, id_ = database.reader, str(player.id)
    if view.then is None:
        found = await variable_values.all_set(reader, id_)
    else:
        found = await as_of.variables_set(reader, id_, view.then)
    known = await names.names_of(reader, "variable", [each.variable_id for each in found])
    records = _named(found, known)
    if not found:
        return Output(records, f"No variable {view.verb('is', 'was')} set for {player.name}.")
    rows = [[shown(known, each.variable_id, ids=view.ids), str(each.value)] for each in found]
    return Output(records, TextTable(["variable", "value"], rows))


@command
async def at(
    database: Database,
    player: FoundPlayer,
    instant: Annotated[str, typer.Argument(metavar="TIME", help="For example 'yesterday 18:00'.")],
    *,
    ids: Ids = False,
    utc: InUtc = False,
) -> Output:
    """Show a character's items, spells and variables at a past time."""
    clock, reader, id_ = TerminalClock(utc=utc), database.reader, str(player.id)
    then = clock.at(instant)
    held = await as_of.carried(reader, id_, then)
    knew = await as_of.spells(reader, id_, then)
    had = await as_of.variables_set(reader, id_, then)
    slots = [slot.item_id for slot in [*held.inventory, *held.bank]]
    known = await names.names_of(reader, "item", slots)
    known |= await names.names_of(reader, "spell", [spell.spell_id for spell in knew])
    known |= await names.names_of(reader, "variable", [each.variable_id for each in had])
    places = {"inventory": held.inventory, "bank": held.bank}
    lists = places | {"spells": knew, "variables": had}
    parts: list[Part] = [f"{player.name} at {clock.exact(then)}:"]
    for place, found in places.items():
        parts += ["", f"{place}: {len(_filled(found))} of {len(found)} slots filled"]
        parts += [_slot_table(found, known, ids=ids)] if _filled(found) else []
    spell_names = ", ".join(shown(known, spell.spell_id, ids=ids) for spell in knew)
    parts += ["", f"spells: {spell_names}"]
    parts += [f"variable {shown(known, v.variable_id, ids=ids)}: {v.value}" for v in had]
    records = {what: _named(found, known) for what, found in lists.items()}
    return Output({"at": then} | records, *parts)
