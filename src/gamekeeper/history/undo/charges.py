"""What undos count against the limits of their actors: themselves, and what they bring back."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Self
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo.plan import Result
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import archive
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.players.state import Savepoint, State


class Charges:
    """The quotas of actors with limits. A batch without such actors needs none."""

    def __init__(self, state: State, archived: Mapping[UUID, Counter[UUID]]) -> None:
        self._state = state
        self._archived = archived
        """What deleted characters had, which an undo may bring back."""

    @classmethod
    async def lock(
        cls,
        writer: Writer,
        state: State,
        commands_by: Sequence[AuditContext],
        lifecycles: Sequence[Undoable],
    ) -> Self:
        """Lock the quotas; of `lifecycles`, characters may come back."""
        await state.quotas.lock(writer, commands_by)
        archived = (
            await archive.holdings(writer, [action.player_id for action in lifecycles])
            if lifecycles
            else {}
        )
        items = {item for held in archived.values() for item in held}
        await state.learn_items(writer, items)
        return cls(state, archived)

    def refusal(
        self, by: AuditContext, begun: Savepoint, results: Collection[Result]
    ) -> LimitExceeded | None:
        """Count undos and the items that they brought back since `begun`; None if that may be."""
        if by.allowance is None:
            return None
        returned: Counter[UUID] = Counter()
        for change in (change for result in results for change in result.changes):
            if change.what == "player" and change.quantity == 1 and change.id:
                returned += self._archived.get(change.id, Counter())
        try:
            self._state.charge(by, begun, also=returned, undos=len(results))
        except LimitExceeded as beyond:
            return beyond
        return None
