"""
Changes of characters that exist: the difference to the file, through the one write path.

Each difference is an action of its own, as if a game server had made it, so the timeline and
point-in-time queries show it. Items go to and come from the account `import`.
"""

from collections.abc import Mapping
from typing import Any, LiteralString
from uuid import UUID

from msgspec import UNSET

from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.players import sheet, sheets
from gamekeeper.players.characters import playing
from gamekeeper.players.inventory import PostingContext
from gamekeeper.players.name_changes import save_names
from gamekeeper.players.names import NameClaims
from gamekeeper.players.state import Needs, State, lock_rows
from gamekeeper.transfer import differences, stored
from gamekeeper.transfer.additions import save_extras
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.letter_changes import LetterChanges
from gamekeeper.transfer.lines import (
    Fault,
    InvalidLine,
    PlayerLine,
)
from gamekeeper.transfer.placed_items import bags_first, is_alike, placed
from gamekeeper.transfer.positions import find_moved, keep_positions

ONLINE = "is online; import it when it has left the game"


class RefusedLines(Exception):
    """Lines failed while they were imported; nothing was written."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


async def change_players(
    writer: Writer,
    lines: Mapping[int, PlayerLine],
    catalog: KnownCatalog,
    by: AuditContext,
    *,
    overwrite: bool,
) -> int:
    """Make characters what their lines say; returns how many differed."""
    numbers = {line.id: number for number, line in lines.items()}
    # Read before it is locked: most are as they were, and the service goes on with those.
    seen = await stored.read_players(writer, list(numbers))
    odd = [
        line.id
        for line in lines.values()
        if line.id not in seen or differences.fields(line, seen[line.id])
    ]
    await lock_rows(writer, odd)
    there = await stored.read_players(writer, odd)
    gone = [numbers[player] for player in odd if player not in there]
    _raise([Fault(number, "id", "was deleted during the import") for number in gone])
    differing = {
        line.id: line
        for line in lines.values()
        if line.id in there and differences.fields(line, there[line.id])
    }
    _raise(
        [Fault(numbers[player], "id", ONLINE) for player in await playing(writer, list(differing))]
    )
    if not overwrite:
        _raise(
            await find_moved(
                writer, {numbers[player]: differing[player] for player in differing}, there
            )
        )
    if differing:
        await _change(writer, differing, there, numbers, catalog, by)
        await keep_positions(writer, differing.values())
    return len(differing)


def _raise(faults: list[Fault]) -> None:
    if faults:
        raise RefusedLines(faults)


async def _change(
    writer: Writer,
    lines: Mapping[UUID, PlayerLine],
    there: Mapping[UUID, PlayerLine],
    numbers: Mapping[UUID, int],
    catalog: KnownCatalog,
    by: AuditContext,
) -> None:
    needs = Needs(
        inventory=True,
        bags=True,
        spells=catalog.spells,
        variables=list(catalog.variables["player"]),
        sheets=True,
    )
    state = await State.load(writer, {str(player): player for player in lines}, needs)
    letters = await LetterChanges.load(writer, state, lines, there)
    faults: list[Fault] = []
    for player, line in lines.items():
        try:
            _Change(state, line, there[player], catalog, by).apply()
            letters.apply(line, by)
        except InvalidLine as wrong:
            faults.append(Fault(numbers[player], wrong.field, wrong.reason))
    _raise(faults)
    await state.save(writer)
    await _save_rest(writer, lines)
    await _rename(writer, lines, there, numbers, by)


class _Change:
    """The changes of one character, in the memory of a state."""

    def __init__(
        self,
        state: State,
        line: PlayerLine,
        before: PlayerLine,
        catalog: KnownCatalog,
        by: AuditContext,
    ) -> None:
        self.state, self.line, self.before = state, line, before
        self.catalog, self.by = catalog, by

    def apply(self) -> None:
        self._items()
        self._sheet_and_progress()
        self._spells()
        self._variables()

    def _record(self, kind: Kind, before: Any, after: Any) -> None:
        self.state.record(
            Action(kind=kind, by=self.by, player_id=self.line.id, before=before, after=after)
        )

    # ── Items ──

    def _items(self) -> None:
        now, wanted = placed(self.before, self.before), placed(self.line, self.before)
        if now == wanted:
            return
        action = Action(kind="items.import", by=self.by, player_id=self.line.id)
        context = PostingContext(action.id, "import")
        self.state.record(action)
        inventory, player = self.state.inventory, self.line.id
        for letter in self.line.mailbox or ():
            inventory.bag_sizes |= {
                item.bag: self.catalog.items[item.item_id].bag_slots
                for item in letter.items
                if item.bag
            }
        for place in (self.line.inventory or (), self.line.bank or ()):
            for slot in place:
                if slot.bag and slot.bag.id and slot.bag.slot_count:
                    inventory.bag_sizes[slot.bag.id] = slot.bag.slot_count
        # Contents leave before their bag, and a bag comes before its contents. A slot whose
        # item changes is emptied first: a posting is about one item.
        for (container, number), stack in sorted(now.items(), key=bags_first):
            if not is_alike(stack, wanted.get((container, number))):
                inventory.set_slot((player, container, number), None, context)
        for (container, number), stack in sorted(wanted.items(), key=bags_first, reverse=True):
            if inventory.at(player, container).get(number, None) is None or (
                now[container, number].quantity != stack.quantity
            ):
                inventory.set_slot((player, container, number), stack, context)

    # ── Sheet, level, experience ──

    def _sheet_and_progress(self) -> None:
        player = self.line.id
        before = differences.stored_sheet(self.before)
        after = differences.new_sheet(self.line, self.before, self.state.settings)
        if action := sheet.action("players.sheet", self.by, player, before, after):
            self.state.sheets.put(player, after)
            self.state.record(action)
        progress = differences.new_progress(
            self.line, self.before, self.catalog.classes[after.class_id]
        )
        former = self.state.progress.get(player)
        assert former is not None
        if progress.shown != former.shown:
            self.state.progress.put(player, progress)
            self._record("players.progress", former.shown, progress.shown)

    # ── Spells and variables ──

    def _spells(self) -> None:
        if self.line.spells is UNSET:
            return
        wanted = {spell.spell_id: spell.slot for spell in self.line.spells}
        known = {spell.spell_id: spell.slot for spell in self.before.spells or ()}
        moved = [spell for spell, slot in known.items() if wanted.get(spell) != slot]
        for spell in moved:
            self.state.spells.put((self.line.id, known[spell]), None)
            self._record("spells.forget", {"spell_id": spell, "slot": known[spell]}, None)
        for spell, slot in wanted.items():
            if known.get(spell) != slot:
                self.state.spells.put((self.line.id, slot), spell)
                self._record("spells.teach", None, {"spell_id": spell, "slot": slot})

    def _variables(self) -> None:
        if self.line.variables is UNSET:
            return
        now: dict[UUID, Scalar] = self.before.variables or {}
        wanted = self.line.variables
        for variable in sorted({*now, *wanted}):
            before, after = now.get(variable), wanted.get(variable)
            if (type(before), before) != (type(after), after):
                self.state.variables.put((self.line.id, variable), after)
                about = {"variable_id": variable}
                self._record("variables.set", about | {"value": before}, about | {"value": after})


# ── What is not part of the state ──


async def _save_rest(writer: Writer, lines: Mapping[UUID, PlayerLine]) -> None:
    """Times, sizes of bags, and the equipment: items that changed places took it off."""
    for name, sql in TIMES.items():
        given = {
            player: value
            for player, line in lines.items()
            if (value := getattr(line, name)) is not UNSET
        }
        if given:
            await writer.run(sql, list(given), list(given.values()))
    await save_extras(writer, lines.values())
    worn = {
        player: {"equipment": line.equipment}
        for player, line in lines.items()
        if line.equipment is not UNSET
    }
    if worn:
        await sheets.save(writer, worn)
    sizes = {
        slot.bag.id: slot.bag.slot_count
        for line in lines.values()
        for slot in (*(line.inventory or ()), *(line.bank or ()))
        if slot.bag
    }
    if sizes:
        await writer.run(BAG_SIZES, list(lines), list(sizes), list(sizes.values()))


TIMES: dict[str, LiteralString] = {
    "last_online": """
        UPDATE players SET last_online = new.value
          FROM unnest($1::uuid[], $2::timestamptz[]) AS new (id, value)
         WHERE players.id = ANY($1) AND players.id = new.id
           AND last_online IS DISTINCT FROM new.value
    """,
    "created_at": """
        UPDATE players SET created_at = new.value
          FROM unnest($1::uuid[], $2::timestamptz[]) AS new (id, value)
         WHERE players.id = ANY($1) AND players.id = new.id AND created_at <> new.value
    """,
    "play_time_seconds": """
        UPDATE players SET play_time_seconds = new.value
          FROM unnest($1::uuid[], $2::bigint[]) AS new (id, value)
         WHERE players.id = ANY($1) AND players.id = new.id AND play_time_seconds <> new.value
    """,
}

BAG_SIZES: LiteralString = """
    UPDATE bags SET slot_count = new.slot_count
      FROM unnest($2::uuid[], $3::int[]) AS new (id, slot_count)
     WHERE player_id = ANY($1) AND bags.id = new.id AND bags.slot_count <> new.slot_count
"""


async def _rename(
    writer: Writer,
    lines: Mapping[UUID, PlayerLine],
    there: Mapping[UUID, PlayerLine],
    numbers: Mapping[UUID, int],
    by: AuditContext,
) -> None:
    former = {player: str(there[player].name) for player in lines}
    wanted = {
        player: str(line.name)
        for player, line in lines.items()
        if line.name is not UNSET and line.name != former[player]
    }
    if not wanted:
        return
    # Claimed by its key only: names that look alike are imported as they are.
    claims = await NameClaims.load(writer, list(wanted.items()), former)
    taken = [
        player
        for player, name in wanted.items()
        if not claims.take_as_is(player, name, former[player])
    ]
    _raise([Fault(numbers[player], "name", "another character has that name") for player in taken])
    await claims.save(writer)
    await save_names(writer, former, former | wanted)
    await actions.record(
        writer,
        [
            Action(
                kind="players.rename",
                by=by,
                player_id=player,
                before={"name": former[player]},
                after={"name": name},
            )
            for player, name in wanted.items()
        ],
    )
