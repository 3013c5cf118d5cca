"""Transactions: many moves, all of them or none."""

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
    """Moves that are all made or none, under a key of their own."""

    key: str
    moves: list[Move]
    expected: NotRequired[list[Expected]]
    reason: NotRequired[str]


class Transactions(Group[How]):
    """Many changes to many characters, each transaction whole or not at all."""

    @posts("/api/v1/transactions", keyed=False)
    def send(
        self,
        transactions: Sequence[Transaction],
        *,
        server: Id | None = None,
        fence: int | None = None,
    ) -> TransactionOutcomes:
        """Carry them out; the key of each sees to it that it happens once."""
        ...
