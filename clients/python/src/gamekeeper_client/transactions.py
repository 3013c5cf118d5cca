"""Atomic transactions: many moves, all of them or none."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from gamekeeper_client.calls import (
    Group,
    How,
    Id,
    posts,
)
from gamekeeper_client.moves import Expected, Move
from gamekeeper_client.records import (
    TransactionOutcomes,
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
