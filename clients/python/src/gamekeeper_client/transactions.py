"""Atomic transactions: many moves, all of them or none."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from gamekeeper_client.calls import (
    Group,
    How,
    Id,
    Key,
    posts,
    reads,
)
from gamekeeper_client.moves import Expected, Move
from gamekeeper_client.records import (
    TransactionOutcomes,
    TransactionRecord,
    UndoneTransaction,
)


class Transaction(TypedDict):
    """Moves that are all made or none, with their own idempotency key."""

    key: str
    moves: list[Move]
    expected: NotRequired[list[Expected]]
    reason: NotRequired[str]


class Transactions(Group[How]):
    """Many changes to many characters; each transaction is atomic."""

    @posts("/api/v1/transactions", keyed=False)
    def send(
        self,
        transactions: Sequence[Transaction],
        *,
        server: Id | None = None,
        fence: int | None = None,
    ) -> TransactionOutcomes:
        """Execute transactions; the idempotency key of each ensures that it happens once."""
        ...

    @reads("/api/v1/transactions/{transaction_id}")
    def get(self, transaction_id: Id, *, names: bool = False) -> TransactionRecord:
        """A transaction by its id, with every side of it and the items that moved."""
        ...

    @posts("/api/v1/transactions/{transaction_id}/undo")
    def undo(
        self,
        transaction_id: Id,
        *,
        dry_run: bool = False,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> UndoneTransaction:
        """Undo a whole transaction, on all sides or not at all."""
        ...
