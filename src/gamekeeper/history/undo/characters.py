"""Undo for characters: restore spells, variables, level and sheet."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from msgspec import structs

from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.files import Class
from gamekeeper.core.errors import Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.history.undo.plan import Change, Obstacle, Reason, Result, blocked
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import attributes, sheet, spells
from gamekeeper.players.progress import Progress
from gamekeeper.players.state import State

REASONS: Mapping[type[Problem], Reason] = {
    spells.SpellNotKnown: "spell_not_known",
    spells.SpellBound: "spell_bound",
    spells.SpellAlreadyKnown: "spell_already_known",
    spells.SpellbookFull: "spellbook_full",
}


def undo_spell(state: State, undone: Undoable) -> Result:
    """Forget a spell that was taught; teach one that was forgotten, in its former slot."""
    player, spell = undone.player_id, UUID(undone.state["spell_id"])
    assert player is not None
    teach = not undone.after
    slot = undone.before.get("slot") if teach else None
    try:
        before, after = spells.change(state, player, spell, teach=teach, slot=slot)
    except tuple(REASONS) as refusal:
        return blocked(Obstacle(reason=REASONS[type(refusal)], what="spell", id=spell))
    page = after or before
    assert page is not None
    change = Change(what="spell", id=spell, slot=page["slot"], quantity=1 if teach else -1)
    return Result(changes=[change], before=before, after=after)


def undo_variable(state: State, undone: Undoable) -> Result:
    """Restore the former value of a variable, if it was not set since."""
    assert undone.player_id is not None
    variable = UUID(undone.state["variable_id"])
    spot = undone.player_id, variable
    former, left = (catalog.stored(state["value"]) for state in (undone.before, undone.after))
    now = state.variables.get(spot)
    if now != left:
        return blocked(
            Obstacle(reason="changed_since", what="variable", id=variable, expected=left, found=now)
        )
    state.variables.put(spot, former)
    about = {"variable_id": variable}
    return Result(
        changes=[Change(what="variable", id=variable, before=now, after=former)],
        before=about | {"value": now},
        after=about | {"value": former},
    )


def undo_level(state: State, undone: Undoable) -> Result:
    """Restore the former level and experience, if they did not change since."""
    player = undone.player_id
    assert player is not None
    now = state.progress.get(player)
    assert now is not None
    former, left = (
        structs.replace(now, level=state["level"], exp=state["exp"])
        for state in (undone.before, undone.after)
    )
    if now != left:
        return blocked(
            Obstacle(reason="changed_since", what="level", expected=_level(left), found=_level(now))
        )
    if not former.is_possible:
        return blocked(Obstacle(reason="level_above_class", what="level", expected=now.highest))
    state.progress.put(player, former)
    change = Change(what="level", id=player, before=_level(now), after=_level(former))
    return Result(changes=[change], before=now.shown, after=former.shown)


def _level(one: Progress) -> str:
    return f"level {one.level} with {one.exp} experience"


def undo_sheet(state: State, undone: Undoable) -> Result:
    """Restore the fields of a sheet, except fields that changed since."""
    player = undone.player_id
    assert player is not None
    now, reached = attributes.standing(state, player)
    filled = state.inventory.at(player, "inventory")
    left = sheet.typed(undone.after["sheet"])
    back, since = sheet.inverse(now, undone.before["sheet"], undone.after["sheet"], filled=filled)
    obstacles = [
        Obstacle(
            reason="changed_since",
            what="sheet",
            name=name,
            expected=_shown(left[name]),
            found=_shown(found),
        )
        for name, found in since.items()
    ]
    kind = state.known_classes.get(back.class_id)
    if kind and back.class_id != now.class_id:
        if reached.level > kind.max_level:
            return blocked(_above(kind, reached.level), *obstacles)
        state.progress.put(player, structs.replace(reached, highest=kind.max_level))
    state.sheets.put(player, back)
    before, after = sheet.differences(now, back)
    changes = [
        Change(what="sheet", name=name, before=_shown(before[name]), after=_shown(after[name]))
        for name in after
    ]
    return Result(
        changes=changes, obstacles=obstacles, before={"sheet": before}, after={"sheet": after}
    )


def _above(kind: Class, level: int) -> Obstacle:
    return Obstacle(
        reason="level_above_class",
        what="level",
        id=kind.id,
        expected=kind.max_level,
        found=level,
    )


def _shown(value: Any) -> Scalar:
    """A value as a scalar; a list becomes JSON text."""
    return value if isinstance(value, Scalar) else msgspec.json.encode(value).decode().strip('"')
