"""What a character knows and what the game remembers of it, put back: spells, variables, levels."""

from collections.abc import Mapping
from uuid import UUID

from gamekeeper.catalog import variables as catalog
from gamekeeper.errors import Problem
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import spells
from gamekeeper.players.state import State
from gamekeeper.undo.plan import Change, Obstacle, Reason, Result, blocked

REASONS: Mapping[type[Problem], Reason] = {
    spells.SpellNotKnown: "spell_not_known",
    spells.SpellBound: "spell_bound",
    spells.SpellAlreadyKnown: "spell_already_known",
    spells.SpellbookFull: "spellbook_full",
}


def undo_spell(state: State, undone: Undoable) -> Result:
    """What was taught is forgotten; what was forgotten is taught, in the slot where it was."""
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
    """A variable has its former value again, if nobody has set another since."""
    assert undone.player_id is not None
    variable = UUID(undone.state["variable_id"])
    spot = undone.player_id, variable
    former, left = (catalog.stored(one["value"]) for one in (undone.before, undone.after))
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
