"""The queue of transactions: sent in batches, each kept until its outcome is known."""

import json
from collections.abc import Sequence

from gamekeeper_client.errors import APIError
from gamekeeper_client.records import Failure, TransactionOutcome
from gamekeeper_client.transactions import Transaction

MAX_TRANSACTIONS = 100
LARGEST = 900_000
"""The largest body of a call in bytes; the service accepts 1 MiB."""


class Flush:
    """One flush: the transactions to send, in order, and their outcomes."""

    def __init__(self, pending: dict[str, Transaction]) -> None:
        self._pending = pending
        self._todo = list(pending.values())
        self._most = MAX_TRANSACTIONS
        self.outcomes: list[TransactionOutcome] = []

    def batch(self) -> list[Transaction]:
        """The transactions of the next call; empty when all were sent."""
        size, number = 0, 0
        for one in self._todo[: self._most]:
            size += len(json.dumps(one, default=str))
            if number and size > LARGEST:
                break
            number += 1
        return self._todo[:number]

    def answered(self, outcomes: Sequence[TransactionOutcome]) -> None:
        """Remove settled transactions; those that failed temporarily stay for the next flush."""
        self._todo = self._todo[len(outcomes) :]
        self._most = MAX_TRANSACTIONS
        for outcome in outcomes:
            failure = outcome.failure
            if outcome.status == 503 or (failure and failure.code == "still_running"):
                continue
            self._pending.pop(outcome.key, None)
            self.outcomes.append(outcome)

    def refused(self, batch: list[Transaction], refusal: APIError) -> None:
        """An invalid transaction must not block the others: bisect until it is alone."""
        if refusal.status not in (400, 413):
            raise refusal
        if len(batch) > 1:
            self._most = len(batch) // 2
            return
        failure = Failure(
            Message=refusal.message,
            Code=refusal.code,
            RequestId=refusal.request_id,
            Details=refusal.details,
        )
        outcome = TransactionOutcome(
            Key=batch[0]["key"], Status=refusal.status, Replayed=False, Done=None, Failure=failure
        )
        self.answered([outcome])
