"""What undos count against the limits of their actors: themselves, and what they bring back."""

from collections import Counter
from collections.abc import Collection, Sequence
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo.plan import Result
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import archive
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.players.state import Savepoint, State


class Charges:
    def __init__(self, state: State) -> None:
        self._state = state
        self._archived: dict[UUID, Counter[UUID]] = {}
        """What deleted characters had, which an undo may bring back."""

    async def lock(
        self, writer: Writer, commands_by: Sequence[AuditContext], coming: Sequence[Undoable]
    ) -> None:
        """Lock the quotas of actors with limits; `coming` are undos that may undelete somebody."""
        await self._state.quotas.lock(writer, commands_by)
        if coming and any(by.allowance for by in commands_by):
            self._archived = await archive.holdings(writer, [one.player_id for one in coming])
            items = {item for held in self._archived.values() for item in held}
            await self._state.learn_items(writer, items)

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
