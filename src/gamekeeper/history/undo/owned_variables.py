"""Undo for variables of accounts and of the game: restore the former value."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.catalog import game_variables as of_game
from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variable_values import USER_VARIABLES
from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Writer
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.overlay import Overlay

Spot = tuple[UUID | None, UUID]
"""The account, None for the game, and the variable."""


def _spot(undone: Undoable) -> Spot:
    return undone.user_id, UUID(undone.state["variable_id"])


async def lock(writer: Writer, undone: Sequence[Undoable]) -> None:
    """Lock the values of the game; those of an account are locked with it."""
    if any(action.user_id is None for action in undone):
        await of_game.lock(writer)


class OwnedVariables:
    """Values of accounts and of the game, as an in-memory overlay during undos."""

    def __init__(self, values: dict[Spot, Scalar]) -> None:
        self._values: Overlay[Spot, Scalar] = Overlay(values)

    @classmethod
    async def load(cls, writer: Writer, undone: Sequence[Undoable]) -> "OwnedVariables":
        spots = [_spot(action) for action in undone]
        users = [user for user, _ in spots if user]
        known: dict[Spot, Scalar] = {}
        if users:
            known |= await USER_VARIABLES.values(
                writer, users, [variable for user, variable in spots if user]
            )
        if games := [variable for user, variable in spots if user is None]:
            values = await of_game.values(writer, games)
            known |= {(None, variable): value for variable, value in values.items()}
        return cls(known)

    def savepoint(self) -> int:
        return self._values.savepoint()

    def rollback(self, savepoint: int) -> None:
        self._values.rollback(savepoint)

    def undo(self, undone: Undoable) -> Result:
        """Restore the former value of a variable, if it was not set since."""
        spot = _spot(undone)
        former, left = (catalog.stored(state["value"]) for state in (undone.before, undone.after))
        now = self._values.get(spot)
        variable = spot[1]
        if now != left:
            return blocked(
                Obstacle(
                    reason="changed_since", what="variable", id=variable, expected=left, found=now
                )
            )
        self._values.put(spot, former)
        about = {"variable_id": variable}
        return Result(
            changes=[Change(what="variable", id=variable, before=now, after=former)],
            before=about | {"value": now},
            after=about | {"value": former},
        )

    async def save(self, writer: Writer) -> None:
        changed = self._values.changed()
        await USER_VARIABLES.save(
            writer, {(user, variable): value for (user, variable), value in changed.items() if user}
        )
        await of_game.save(
            writer, {variable: value for (user, variable), value in changed.items() if user is None}
        )
