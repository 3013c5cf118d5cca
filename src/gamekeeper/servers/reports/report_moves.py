"""Reports among the moves of transactions."""

from collections.abc import Mapping, Sequence
from typing import cast
from uuid import UUID

from msgspec import structs

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.players.moves import Move, ReportPlayer
from gamekeeper.servers.reports import submission
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.servers.reports.records import ReportDraft
from gamekeeper.servers.reports.submission import NewReport

Moves = tuple[AuditContext, UUID | None, Sequence[Move]]
"""Those of one transaction, by whom it is, and on which server."""


class ReportMoves:
    """
    The reports of a list of transactions: prepared before anything changes, stored at the end.

    A refused report refuses its transaction. One that is charged counts against the reporter's
    limit also if its transaction is refused for another reason.
    """

    def __init__(self, drafts: Mapping[int, ReportDraft | Problem]) -> None:
        # By identity: two equal moves are two reports.
        self._drafts = drafts
        self._accepted: list[ReportDraft] = []

    @classmethod
    async def prepare(cls, writer: Writer, transactions: Sequence[Moves]) -> "ReportMoves":
        wanted = {
            id(move): _new_report(by, server, move)
            for by, server, moves in transactions
            for move in moves
            if isinstance(move, ReportPlayer)
        }
        drafts = await submission.prepare(writer, list(wanted.values())) if wanted else []
        return cls(dict(zip(wanted, drafts, strict=True)))

    def check(self, move: ReportPlayer) -> None:
        """Raise the refusal of a report, if it is one."""
        if isinstance(draft := self._drafts[id(move)], Problem):
            raise draft

    def accept(self, moves: Sequence[Move]) -> None:
        """Store the reports of a transaction at the end: it was applied."""
        for move in moves:
            if isinstance(draft := self._drafts.get(id(move)), ReportDraft):
                self._accepted.append(draft)

    async def store(self, writer: Writer) -> None:
        await submission.store(writer, self._accepted)


def _new_report(by: AuditContext, server: UUID | None, move: ReportPlayer) -> NewReport:
    return NewReport(
        # The idempotency key is the transaction's.
        by=structs.replace(by, key=None),
        target=move.reported,
        reporter=move.player,
        category=cast(ReportCategory, move.category),
        text=move.text,
        server_id=server,
        message_ids=move.message_ids,
    )
