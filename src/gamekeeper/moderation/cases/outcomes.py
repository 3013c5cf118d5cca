"""
Closing: the outcome of a case, with the sanction in the same transaction; and opening it again.

A sanction is imposed by the operation that imposes every other one, so templates, ladders, ranks
and bans work as always; the frozen chat of the case is its evidence. A case that another
moderator claimed is not closed behind their back.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Conflict, Invalid, Problem, RoleRequired
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import operation
from gamekeeper.ledger import actions
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.cases import claims, evidence, outcome_mails, records
from gamekeeper.moderation.cases.claims import CaseCommand, action
from gamekeeper.moderation.cases.records import Case, CaseClosed, CaseOutcome
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.moderation.texts import check_text
from gamekeeper.sanctions import records as stored_sanctions
from gamekeeper.sanctions.records import Sanction, SanctionKind
from gamekeeper.servers.commands import bans, outbox
from gamekeeper.servers.commands.outbox import NewCommand

IMPOSED: Mapping[CaseOutcome, SanctionKind] = {
    "note": "note",
    "warning": "warning",
    "mute": "mute",
    "trade_lock": "trade_lock",
    "ban": "ban",
}
"""The outcomes that are sanctions."""


class InvalidClosing(Invalid):
    """Send an 'outcome', a 'template', or the 'sanction' that the case led to."""


class CaseNotClosed(Conflict):
    """This case is open."""

    cacheable = False


class AnotherCaseOpen(Conflict):
    """The account has another open case. Handle that one."""

    cacheable = False


class CaseClosing(CaseCommand, frozen=True, kw_only=True):
    outcome: CaseOutcome | None = None
    """None: that of the template or of the sanction."""
    note: str = ""
    """For staff; kept with the case."""
    sanction: str | None = None
    """The id or code of a sanction that was imposed already."""
    template: str | None = None
    on: Literal["account", "character"] = "account"
    ends_at: datetime | None = None
    duration: timedelta | None = None
    reason: str = ""
    message: str = ""
    links: Sequence[str] = ()
    excerpt: Sequence[UUID] | None = None
    """Chat lines of the case as evidence; None: those that are meant, and of the account."""

    @property
    def imposes(self) -> bool:
        return not self.sanction and bool(self.template or self.outcome in IMPOSED)

    @property
    def scopes(self) -> list[str]:
        """Needed besides the one to close cases."""
        if self.imposes or self.sanction:
            return ["sanctions.manage"]
        return ["commands"] if self.outcome == "kick" else []


class CaseReopening(CaseCommand, frozen=True, kw_only=True):
    pass


class _Decision(Struct, frozen=True):
    outcome: CaseOutcome
    sanction_id: UUID | None = None


@operation
async def close(writer: Writer, commands: Sequence[CaseClosing]) -> list[Case | Problem]:
    """Close cases, each once, and impose the sanctions that they lead to."""
    wanted = [command.case_id for command in commands]
    accounts = await writer.rows("SELECT user_id FROM cases WHERE id = ANY($1)", wanted)
    # Accounts first, as whoever sanctions or erases them.
    await bans.lock(writer, [row["user_id"] for row in accounts])
    found = await claims.lock(writer, wanted)
    refused = await claims.refusals(writer, commands, found)
    outcomes: list[_Decision | Problem] = []
    seen: set[UUID] = set()
    for command, refusal in zip(commands, refused, strict=True):
        row = found.get(command.case_id)
        problem = refusal or _refusal(command, row, seen)
        outcome = problem or await _decide(writer, command, row)
        outcomes.append(outcome)
        if isinstance(outcome, _Decision):
            seen.add(command.case_id)
    closed = {
        command.case_id: (command, outcome)
        for command, outcome in zip(commands, outcomes, strict=True)
        if isinstance(outcome, _Decision)
    }
    await _write(writer, closed)
    await outcome_mails.enqueue(
        writer, {case: decision.outcome for case, (_, decision) in closed.items()}
    )
    await actions.record(
        writer,
        [
            action(
                "cases.close",
                command,
                found[case],
                outcome=decision.outcome,
                sanction_id=decision.sanction_id,
            )
            for case, (command, decision) in closed.items()
        ],
    )
    cases = await records.find_cases(writer, list(closed))
    return [
        outcome if isinstance(outcome, Problem) else cases[command.case_id]
        for command, outcome in zip(commands, outcomes, strict=True)
    ]


def _refusal(command: CaseClosing, row: Any, seen: set[UUID]) -> Problem | None:
    if row["closed_at"] or command.case_id in seen:
        return CaseClosed()
    if row["claimed_by"] not in (None, command.by.actor):
        return claims.claimed(row)
    for scope in command.scopes:
        if command.caller and not command.caller.may(scope):
            return RoleRequired(scope)
    try:
        check_text("note", command.note)
    except Problem as refusal:
        return refusal
    return _incomplete(command)


def _incomplete(command: CaseClosing) -> InvalidClosing | None:
    given = [command.outcome is not None, bool(command.template), bool(command.sanction)]
    if sum(given) != 1:
        return InvalidClosing("Send one of 'outcome', 'template' and 'sanction'.")
    if command.imposes:
        return None
    extra = command.ends_at or command.duration or command.message or command.links
    if extra or command.excerpt:
        return InvalidClosing(
            "'until', 'durationseconds', 'message', 'evidence' and 'excerpt' are of a new sanction."
        )
    return None


async def _decide(writer: Writer, command: CaseClosing, row: Any) -> _Decision | Problem:
    """Impose or find the sanction, or kick; one by one, because few are closed at once."""
    if command.sanction:
        return await _linked(writer, command.sanction, row)
    if command.imposes:
        outcome = await _impose(writer, command, row)
        return outcome if isinstance(outcome, Problem) else _Decision(outcome.kind, outcome.id)
    assert command.outcome is not None
    if command.outcome == "kick":
        [sent] = await outbox.send(writer, [_kick(command, row)])
        if isinstance(sent, Problem):
            return sent
    return _Decision(command.outcome)


async def _linked(writer: Writer, key: str, row: Any) -> _Decision | Problem:
    [found] = await stored_sanctions.find_sanctions(writer, [key])
    if found is None or found.user_id != row["user_id"]:
        return stored_sanctions.missing(key)
    return _Decision(found.kind, found.id)


async def _impose(writer: Writer, command: CaseClosing, row: Any) -> Sanction | Problem:
    whole = command.on == "account"
    excerpt = command.excerpt
    if excerpt is None:
        excerpt = await evidence.default_lines(writer, command.case_id, command.caller)
    order = Imposition(
        by=command.by,
        user=str(row["user_id"]) if whole else None,
        player=None if whole else str(row["player_id"]),
        kind=IMPOSED[command.outcome] if command.outcome else None,
        template=command.template,
        ends_at=command.ends_at,
        duration=command.duration,
        reason=command.reason,
        message=command.message,
        evidence=command.links,
        excerpt=excerpt,
        case_id=command.case_id,
        caller=command.caller,
    )
    [outcome] = await sanctions.impose(writer, [order])
    return outcome


def _kick(command: CaseClosing, row: Any) -> NewCommand:
    return NewCommand(
        by=command.by, kind="kick", player=str(row["player_id"]), caller=command.caller
    )


async def _write(writer: Writer, closed: Mapping[UUID, tuple[CaseClosing, _Decision]]) -> None:
    if not closed:
        return
    pairs = list(closed.values())
    await writer.run(
        """
        UPDATE cases
           SET closed_at = now(), closed_by = new.actor, closed_by_name = new.name,
               outcome = new.outcome, sanction_id = new.sanction_id, closing_note = new.note
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[])
               AS new (id, actor, name, outcome, sanction_id, note)
         WHERE cases.id = new.id
        """,
        list(closed),
        [command.by.actor for command, _ in pairs],
        [command.by.name for command, _ in pairs],
        [decision.outcome for _, decision in pairs],
        [decision.sanction_id for _, decision in pairs],
        [command.note.strip() or None for command, _ in pairs],
    )
    await _mark_texts(writer, list(closed))


async def _mark_texts(writer: Writer, cases: Sequence[UUID]) -> None:
    """Retention counts from the end of the case, which each table must have to be swept."""
    await writer.run(
        """
        UPDATE reports SET closed_at = cases.closed_at
          FROM cases WHERE cases.id = reports.case_id AND cases.id = ANY($1)
        """,
        cases,
    )
    await writer.run(
        """
        UPDATE report_excerpts SET closed_at = reports.closed_at
          FROM reports WHERE reports.id = report_id AND reports.case_id = ANY($1)
        """,
        cases,
    )
    await writer.run(
        """
        UPDATE case_excerpts SET closed_at = cases.closed_at
          FROM cases WHERE cases.id = case_excerpts.case_id AND cases.id = ANY($1)
        """,
        cases,
    )
    await writer.run(
        """
        UPDATE case_notes SET closed_at = cases.closed_at
          FROM cases WHERE cases.id = case_notes.case_id AND cases.id = ANY($1)
        """,
        cases,
    )


@operation
async def reopen(writer: Writer, commands: Sequence[CaseReopening]) -> list[Case | Problem]:
    """Open closed cases again. A sanction stays as it is: lift it, if it was a mistake."""
    wanted = [command.case_id for command in commands]
    accounts = await writer.rows("SELECT user_id FROM cases WHERE id = ANY($1)", wanted)
    users = [row["user_id"] for row in accounts]
    # The lock that a report waits for: meanwhile none opens another case.
    await writer.run("SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR UPDATE", users)
    found = await claims.lock(writer, wanted)
    refused = await claims.refusals(writer, commands, found)
    rows = await writer.rows(
        "SELECT user_id, id FROM cases WHERE user_id = ANY($1) AND closed_at IS NULL", users
    )
    others = {row["user_id"]: row["id"] for row in rows}
    outcomes: list[Problem | None] = []
    opened: list[CaseReopening] = []
    for command, refusal in zip(commands, refused, strict=True):
        row: Any = found.get(command.case_id)
        outcomes.append(refusal or _cannot_reopen(row, others))
        if outcomes[-1] is None:
            others[row["user_id"]] = command.case_id
            opened.append(command)
    before = await records.find_cases(writer, [command.case_id for command in opened])
    await writer.run(
        """
        UPDATE cases
           SET closed_at = NULL, closed_by = NULL, closed_by_name = NULL, outcome = NULL,
               sanction_id = NULL, closing_note = NULL
         WHERE id = ANY($1)
        """,
        list(before),
    )
    await _mark_texts(writer, list(before))
    await actions.record(
        writer, [_reopened(command, found, before[command.case_id]) for command in opened]
    )
    cases = await records.find_cases(writer, list(before))
    return [
        problem or cases[command.case_id]
        for command, problem in zip(commands, outcomes, strict=True)
    ]


def _cannot_reopen(row: Any, others: Mapping[UUID, UUID]) -> Problem | None:
    other = others.get(row["user_id"])
    if other == row["id"] or row["closed_at"] is None:
        return CaseNotClosed()
    return AnotherCaseOpen(None, case_id=other) if other else None


def _reopened(command: CaseReopening, found: Mapping[UUID, Any], before: Case) -> actions.Action:
    return action(
        "cases.reopen",
        command,
        found[command.case_id],
        outcome=before.outcome,
        sanction_id=before.sanction_id,
    )
