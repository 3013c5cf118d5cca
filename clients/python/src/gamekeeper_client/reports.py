"""Reports and cases: the endpoints under /api/v1/reports, /api/v1/me/reports and /api/v1/cases."""

from collections.abc import Sequence
from datetime import datetime

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import (
    AddedChat,
    Case,
    CaseChat,
    CaseDetails,
    CaseNote,
    CaseStatistics,
    CaseViewers,
    FiledReport,
    OwnPlayerReport,
)


class Reports(Group[How]):
    """Reports of players about players, by game servers and websites."""

    @posts("/api/v1/reports")
    def file(
        self,
        player: str,
        category: str,
        *,
        reporter: str,
        text: str = "",
        at: datetime | None = None,
        map_id: Id | None = None,
        x: int | None = None,
        y: int | None = None,
        messages: Sequence[Id] | None = None,
        server: Id | None = None,
        fence: int | None = None,
        idempotency_key: Key = None,
    ) -> FiledReport:
        """Report `player` in the name of `reporter`, with the chat messages that are meant."""
        ...

    @posts("/api/v1/me/reports")
    def file_mine(
        self,
        player: str,
        category: str,
        *,
        reporter: str | None = None,
        text: str = "",
        at: datetime | None = None,
        map_id: Id | None = None,
        x: int | None = None,
        y: int | None = None,
        messages: Sequence[Id] | None = None,
        idempotency_key: Key = None,
    ) -> FiledReport:
        """Report a player, as the account whose token this client has."""
        ...

    @reads("/api/v1/me/reports")
    def mine(self, cursor: Id | None = None, limit: int = 100) -> Cursor[OwnPlayerReport]:
        """The reports of the account whose token this client has, newest first."""
        ...

    all_mine = every(mine)


class ReportedCases(Group[How]):
    """Cases: the reports about one account; claim, annotate and close them."""

    @reads("/api/v1/cases")
    def page(
        self,
        *,
        state: str | None = None,
        mine: bool = False,
        claimed: bool | None = None,
        category: str | None = None,
        severity: int | None = None,
        user: str | None = None,
        cursor: Id | None = None,
        limit: int = 100,
    ) -> Cursor[Case]:
        """A page of the queue: the highest priority first, then the oldest."""
        ...

    all = every(page)

    @reads("/api/v1/cases/statistics")
    def statistics(
        self, *, from_: datetime | None = None, to: datetime | None = None
    ) -> CaseStatistics:
        """How many cases there were, how long they waited, and who closed them."""
        ...

    @reads("/api/v1/cases/{case_id}")
    def get(self, case_id: Id) -> CaseDetails:
        """A case with its reports, notes, appeals and earlier cases."""
        ...

    @reads("/api/v1/cases/{case_id}/chat")
    def chat(self, case_id: Id) -> CaseChat:
        """The chat around the reports of a case."""
        ...

    @posts("/api/v1/cases/{case_id}/view", keyed=False)
    def view(self, case_id: Id) -> CaseViewers:
        """Say that you look at a case; who else does."""
        ...

    @posts("/api/v1/cases/{case_id}/claim")
    def claim(self, case_id: Id, *, idempotency_key: Key = None) -> Case:
        """Claim a case; the error `case_claimed` names who was faster."""
        ...

    @posts("/api/v1/cases/{case_id}/release")
    def release(self, case_id: Id, *, idempotency_key: Key = None) -> Case:
        """Release a claimed case."""
        ...

    @posts("/api/v1/cases/{case_id}/notes")
    def add_note(self, case_id: Id, text: str, *, idempotency_key: Key = None) -> CaseNote:
        """Add a note for staff."""
        ...

    @posts("/api/v1/cases/{case_id}/evidence")
    def add_evidence(
        self,
        case_id: Id,
        messages: Sequence[Id],
        *,
        around: bool = False,
        reason: str = "",
        idempotency_key: Key = None,
    ) -> AddedChat:
        """Add chat messages to an open case; with `around`, one and those near it."""
        ...

    @posts("/api/v1/cases/{case_id}/close")
    def close(
        self,
        case_id: Id,
        *,
        outcome: str | None = None,
        template: str | None = None,
        sanction: str | None = None,
        on: str = "account",
        until: datetime | None = None,
        duration_seconds: int | None = None,
        reason: str = "",
        message: str = "",
        evidence: Sequence[str] | None = None,
        excerpt: Sequence[Id] | None = None,
        note: str = "",
        idempotency_key: Key = None,
    ) -> Case:
        """Close a case with an `outcome`, a `template`, or a `sanction` that was imposed."""
        ...

    @posts("/api/v1/cases/{case_id}/reopen")
    def reopen(self, case_id: Id, *, idempotency_key: Key = None) -> Case:
        """Open a closed case again."""
        ...
