"""
Operations on character attributes: sheet, class and level, through the one write path (state.py).

`set_level` and moves of transactions change level and experience; sheets change the rest.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import UUID

from msgspec import structs

from gamekeeper.catalog.classes import vitals_at
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger.actions import Action
from gamekeeper.players import sheet
from gamekeeper.players.characters import outcomes
from gamekeeper.players.progress import InvalidProgress, Progress
from gamekeeper.players.records import Player
from gamekeeper.players.sheet import Sheet, SheetChange
from gamekeeper.players.state import Needs, State


class SheetSaving(Command, frozen=True, kw_only=True):
    player: str
    change: SheetChange


class ClassChange(Command, frozen=True, kw_only=True):
    player: str
    class_id: UUID


class Promotion(Command, frozen=True, kw_only=True):
    player: str
    level: int


@operation
async def save_sheets(writer: Writer, commands: Sequence[SheetSaving]) -> list[Sheet | Problem]:
    """Change sheets in list order; each command sees the result of the one before."""
    classes = {command.change.class_id for command in commands if command.change.class_id}
    state = await State.lock(
        writer, [command.player for command in commands], Needs(sheets=True, classes=classes)
    )
    saved = [state.attempt(lambda command=command: _save(state, command)) for command in commands]
    await state.save(writer)
    return saved


def _save(state: State, command: SheetSaving) -> Sheet:
    player = state.player(command.player)
    before, after = change(state, player, command.change)
    if action := sheet.action("players.sheet", command.by, player, before, after):
        state.record(action)
    return after


@operation
async def change_class(writer: Writer, commands: Sequence[ClassChange]) -> list[Player | Problem]:
    """Change the class of characters, with its base stats and its vitals at their level."""
    needs = Needs(sheets=True, classes={command.class_id for command in commands})
    return await _changed(writer, commands, needs, _change_class)


def _change_class(state: State, command: ClassChange) -> UUID:
    player = state.player(command.player)
    now, reached = standing(state, player)
    kind = sheet.checked_class(state.known_classes.get(command.class_id), reached.level)
    if kind.id != now.class_id:
        vitals = vitals_at(kind, reached.level)
        wanted = SheetChange(class_id=kind.id, base_stats=kind.base_stats, max_vitals=vitals)
        before, after = change(state, player, wanted)
        if action := sheet.action("players.class", command.by, player, before, after):
            state.record(action)
    return player


@operation
async def set_level(writer: Writer, commands: Sequence[Promotion]) -> list[Player | Problem]:
    """Set the level of characters and reset experience to 0; clamped to the class's maximum."""
    return await _changed(writer, commands, Needs(progress=True), _promote)


def _promote(state: State, command: Promotion) -> UUID:
    player = state.player(command.player)
    before = state.progress.get(player)
    assert before is not None
    if command.level < 1:
        raise InvalidProgress(None, highest=before.highest)
    after = structs.replace(before, level=min(command.level, before.highest), exp=0)
    if after != before:
        state.progress.put(player, after)
        state.record(
            Action(
                kind="players.progress",
                by=command.by,
                player_id=player,
                before=before.shown,
                after=after.shown,
            )
        )
    return player


C = TypeVar("C", ClassChange, Promotion)


async def _changed(
    writer: Writer, commands: Sequence[C], needs: Needs, work: Callable[[State, C], UUID]
) -> list[Player | Problem]:
    """Execute commands; each answer shows the character after the whole list."""
    state = await State.lock(writer, [command.player for command in commands], needs)
    done = [state.attempt(lambda command=command: work(state, command)) for command in commands]
    await state.save(writer)
    return await outcomes(writer, done)


# ── Rules ──


def change(state: State, player: UUID, wanted: SheetChange) -> tuple[Sheet, Sheet]:
    """Change a sheet; returns it before and after."""
    before, reached = standing(state, player)
    if wanted.class_id and wanted.class_id != before.class_id:
        kind = sheet.checked_class(state.known_classes.get(wanted.class_id), reached.level)
        state.progress.put(player, structs.replace(reached, highest=kind.max_level))
    after = sheet.merged(before, wanted, inventory_slots=state.settings.inventory_slots)
    state.sheets.put(player, after)
    return before, after


def standing(state: State, player: UUID) -> tuple[Sheet, Progress]:
    """A character's sheet and progress in the overlay, with the changes made so far."""
    now, reached = state.sheets.get(player), state.progress.get(player)
    assert now is not None
    assert reached is not None
    return now, reached
