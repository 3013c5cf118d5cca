"""
Folding: each report joins the one open case of the reported account, or opens it.

A reporter has one report in a case. A repeated one is counted on it; its text is added below, as
long as both fit, and so are chat lines that are not there yet. It does not raise the priority:
that is the severity times the number of reporters, so one angry player moves nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.core import ids
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import RetryTransaction, Writer
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions import excerpts
from gamekeeper.sanctions.excerpts import OF_REPORTS, ExcerptLine
from gamekeeper.servers.reports.categories import SEVERITIES, ReportCategory
from gamekeeper.servers.reports.records import ReportDraft
from gamekeeper.servers.reports.surroundings import MAX_LINES

LONGEST_STORED = 4000
"""Characters of a text with what repetitions added."""
MAX_MEANT = 50
"""Chat lines that a report and its repetitions may name."""


class FoldedReport(Struct, frozen=True):
    """Where a draft went."""

    report_id: UUID
    case_id: UUID
    times: int
    filed_at: datetime


class _Case(Struct, kw_only=True):
    """An open case; locked."""

    id: UUID
    user_id: UUID
    player_id: UUID
    category: ReportCategory
    categories: list[str]
    severity: int
    reports: int
    reporters: int

    def add(self, draft: ReportDraft, *, is_new: bool) -> None:
        severity = SEVERITIES[draft.category]
        if severity > self.severity:
            self.category, self.severity = draft.category, severity
        if draft.category not in self.categories:
            self.categories.append(draft.category)
        self.player_id = draft.player_id
        self.reports += 1
        self.reporters += is_new


class _Report(Struct, kw_only=True):
    """A report of a case, as it is about to be stored."""

    id: UUID
    text: str | None
    times: int
    message_ids: list[UUID]
    filed_at: datetime
    lines: set[UUID]
    """The chat lines that it has."""
    draft: ReportDraft | None = None
    """The one that made it; None: it is stored already."""

    def repeat(self, draft: ReportDraft) -> None:
        joined = f"{self.text}\n\n{draft.text}" if self.text and draft.text else draft.text
        # An emptied text stays empty: the account may be about to be erased.
        if self.text is not None and draft.text and len(joined) <= LONGEST_STORED:
            self.text = joined
        self.times += 1
        meant = dict.fromkeys([*self.message_ids, *draft.message_ids])
        self.message_ids = list(meant)[:MAX_MEANT]


async def fold(
    writer: Writer, drafts: Sequence[ReportDraft], chat: Sequence[Sequence[ExcerptLine]]
) -> list[FoldedReport]:
    """Store reports in the cases of their accounts, which are locked until the commit."""
    cases = await _open_cases(writer, drafts)
    reports = await _reports(writer, drafts, cases)
    now: datetime = await writer.value("SELECT now()")
    outcomes: list[FoldedReport] = []
    frozen: dict[UUID, list[ExcerptLine]] = {}
    for draft, lines in zip(drafts, chat, strict=True):
        case = cases[draft.user_id]
        report = reports.get((case.id, draft.reporter_id))
        case.add(draft, is_new=report is None)
        if report is None:
            report = _new(draft, now)
            reports[case.id, draft.reporter_id] = report
        else:
            report.repeat(draft)
        fresh = [line for line in lines if line.message_id not in report.lines]
        fresh = fresh[-(MAX_LINES - len(report.lines)) :] if len(report.lines) < MAX_LINES else []
        report.lines |= {line.message_id for line in fresh}
        frozen.setdefault(report.id, []).extend(fresh)
        outcomes.append(FoldedReport(report.id, case.id, report.times, report.filed_at))
    await _write(writer, cases, reports)
    digests = await excerpts.freeze(writer, frozen, OF_REPORTS)
    await actions.record(
        writer,
        [
            _action(draft, outcome, digests.get(outcome.report_id))
            for draft, outcome in zip(drafts, outcomes, strict=True)
        ],
    )
    return outcomes


def _new(draft: ReportDraft, now: datetime) -> _Report:
    return _Report(
        id=draft.id,
        text=draft.text,
        times=1,
        message_ids=list(draft.message_ids),
        filed_at=now,
        lines=set(),
        draft=draft,
    )


async def _open_cases(writer: Writer, drafts: Sequence[ReportDraft]) -> dict[UUID, _Case]:
    """The open case of each account, opened if there is none; locked in the order of accounts."""
    first = {draft.user_id: draft for draft in reversed(drafts)}
    users = sorted(first)
    await writer.run(
        """
        INSERT INTO cases (id, user_id, player_id, category, categories, severity)
        SELECT id, user_id, player_id, category, ARRAY[category], severity
          FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[])
               AS new (id, user_id, player_id, category, severity)
         ORDER BY user_id
        ON CONFLICT (user_id) WHERE closed_at IS NULL DO NOTHING
        """,
        [ids.new_id() for _ in users],
        users,
        [first[user].player_id for user in users],
        [first[user].category for user in users],
        [SEVERITIES[first[user].category] for user in users],
    )
    found = await writer.all(
        _Case,
        """
        SELECT id, user_id, player_id, category, categories, severity, reports, reporters
          FROM cases WHERE user_id = ANY($1) AND closed_at IS NULL
         ORDER BY user_id FOR UPDATE
        """,
        users,
    )
    if len(found) < len(users):
        # One was closed between the two statements.
        raise RetryTransaction
    return {case.user_id: case for case in found}


async def _reports(
    writer: Writer, drafts: Sequence[ReportDraft], cases: dict[UUID, _Case]
) -> dict[tuple[UUID, UUID], _Report]:
    """The reports that these reporters have in these cases already."""
    rows = await writer.rows(
        """
        SELECT reports.id, case_id, reporter_id, text, times, message_ids, filed_at,
               ARRAY(SELECT message_id FROM report_excerpts
                      WHERE report_id = reports.id) AS lines
          FROM reports
          JOIN (SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[])
                  AS pairs (case_id, reporter_id)) AS wanted USING (case_id, reporter_id)
        """,
        [cases[draft.user_id].id for draft in drafts],
        [draft.reporter_id for draft in drafts],
    )
    return {
        (row["case_id"], row["reporter_id"]): _Report(
            id=row["id"],
            text=row["text"],
            times=row["times"],
            message_ids=row["message_ids"],
            filed_at=row["filed_at"],
            lines=set(row["lines"]),
        )
        for row in rows
    }


async def _write(
    writer: Writer, cases: dict[UUID, _Case], reports: dict[tuple[UUID, UUID], _Report]
) -> None:
    made = [(case, report) for (case, _), report in reports.items() if report.draft]
    repeated = [report for report in reports.values() if not report.draft]
    if made:
        await writer.run(INSERT, *columns(_row(case, report) for case, report in made))
    if repeated:
        await writer.run(
            REPEAT,
            *columns(
                (report.id, report.text, report.times, _joined(report.message_ids))
                for report in repeated
            ),
        )
    await writer.run(UPDATE_CASES, *columns(_case_row(case) for case in cases.values()))


def _row(case: UUID, report: _Report) -> tuple[Any, ...]:
    draft = report.draft
    assert draft is not None
    return (
        *(report.id, case, draft.reporter_id, draft.reporter_player_id),
        *(draft.user_id, draft.player_id, draft.category, report.text),
        *structs.astuple(draft.place),
        *(draft.server_id, _joined(report.message_ids), draft.at, report.times),
    )


def _case_row(case: _Case) -> tuple[Any, ...]:
    return (
        *(case.id, case.player_id, case.category, ",".join(case.categories)),
        *(case.severity, case.reports, case.reporters),
    )


def _joined(message_ids: Sequence[UUID]) -> str:
    # An array of arrays must be rectangular.
    return f"{{{','.join(map(str, message_ids))}}}"


INSERT: LiteralString = """
    INSERT INTO reports (id, case_id, reporter_id, reporter_player_id, user_id, player_id,
                         category, text, map_id, x, y, server_id, message_ids, happened_at, times)
    SELECT id, case_id, reporter_id, reporter_player_id, user_id, player_id, category, text,
           map_id, x, y, server_id, message_ids::uuid[], happened_at, times
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[],
                  $7::text[], $8::text[], $9::uuid[], $10::int[], $11::int[], $12::uuid[],
                  $13::text[], $14::timestamptz[], $15::int[])
           AS new (id, case_id, reporter_id, reporter_player_id, user_id, player_id, category,
                   text, map_id, x, y, server_id, message_ids, happened_at, times)
"""

REPEAT: LiteralString = """
    UPDATE reports
       SET text = new.text, times = new.times, message_ids = new.message_ids::uuid[],
           last_at = now()
      FROM unnest($1::uuid[], $2::text[], $3::int[], $4::text[])
           AS new (id, text, times, message_ids)
     WHERE reports.id = new.id
"""

UPDATE_CASES: LiteralString = """
    UPDATE cases
       SET player_id = new.player_id, category = new.category,
           categories = string_to_array(new.categories, ','), severity = new.severity,
           reports = new.reports, reporters = new.reporters,
           priority = new.severity * new.reporters, last_report_at = now()
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[], $6::int[],
                  $7::int[])
           AS new (id, player_id, category, categories, severity, reports, reporters)
     WHERE cases.id = new.id
"""


def _action(draft: ReportDraft, folded: FoldedReport, digest: dict[str, Any] | None) -> Action:
    """The audit log says that the account was reported; not by which player, nor the text."""
    about = {"report_id": folded.report_id, "case_id": folded.case_id, "times": folded.times}
    return Action(
        kind="reports.file",
        by=draft.by,
        user_id=draft.user_id,
        player_id=draft.player_id,
        after=about | {"category": draft.category} | ({"excerpt": digest} if digest else {}),
    )
