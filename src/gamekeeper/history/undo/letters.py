"""
Undo for letters: their items as for any other action, and their state.

An undo needs the letter in the state that the action left, and puts it back into the state before.
So the undo of a letter takes back only what is unclaimed; claimed items return to their letter by
the undo of the claim, before the letter itself can be undone.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.history.undo import items
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger.losses import Losses
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.mailbox.records import Letter, LetterState
from gamekeeper.players.state import State

UNSENT: LetterState = "withdrawn"
"""The state of a letter before it was sent: it is in no mailbox, but a redo can find it."""


def undo(state: State, losses: Losses, undone: Undoable, action: UUID) -> Result:
    """Undo an action that is not part of a transaction, in memory."""
    if obstacle := in_the_way(state, undone):
        return blocked(obstacle)
    result = items.undo(state, losses, undone, action) if has_items(undone) else Result()
    return turned_back(state, undone, result)


def has_items(undone: Undoable) -> bool:
    """Whether the action moved items, even if retention dropped the postings since."""
    return bool(undone.postings or undone.state.get("items"))


def undo_parts(state: State, parts: Sequence[Undoable], results: dict[UUID, Result]) -> None:
    """Turn back the letters of a transaction, whose items are in `results`, last first."""
    for part in reversed(parts):
        if part.handler == "letter":
            obstacle = in_the_way(state, part)
            result = results.get(part.id, Result())
            results[part.id] = blocked(obstacle) if obstacle else turned_back(state, part, result)


def in_the_way(state: State, undone: Undoable) -> Obstacle | None:
    """The obstacle if the letter is gone, or not in the state that the action left."""
    letter = _letter(state, undone)
    if letter is None:
        return Obstacle(reason="gone", what="letter", id=undone.letter_id)
    expected = undone.after["state"]
    if letter.state == expected:
        return None
    return Obstacle(
        reason="changed_since",
        what="letter",
        id=letter.id,
        expected=expected,
        found=letter.state,
    )


def turned_back(state: State, undone: Undoable, result: Result) -> Result:
    """Put the letter back into its state before the action; the result says so, too."""
    if result.obstacles:
        # Whole or not at all, even with `partial`: a letter is never half claimed.
        return blocked(*result.obstacles)
    letter = _letter(state, undone)
    assert letter is not None
    assert state.letters is not None
    before: LetterState = undone.before["state"] if undone.before else UNSENT
    ended = None if before == "open" else letter.ended_at or datetime.now(UTC)
    state.letters.put(letter.key, replace(letter, state=before, ended_at=ended))
    about: Mapping[str, Any] = {"letter_id": letter.id}
    sent = {"items": undone.state["items"]} if "items" in undone.state else {}
    change = Change(what="letter", id=letter.id, before=letter.state, after=before)
    return Result(
        changes=[*result.changes, change],
        obstacles=result.obstacles,
        before={**about, **sent, "state": letter.state},
        after={**about, **sent, "state": before},
    )


def _letter(state: State, undone: Undoable) -> Letter | None:
    player, letter = undone.player_id, undone.letter_id
    if state.letters is None or player is None or letter is None:
        return None
    return state.letters.get((player, letter))
