"""Claims and notes: which moderator handles a case, and what staff know about it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import field, structs

from gamekeeper.auth.principal import Principal
from gamekeeper.core import ids
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.kinds.records import Kind
from gamekeeper.moderation.cases import records
from gamekeeper.moderation.cases.records import Case, CaseClaimed, CaseClosed, OwnCase
from gamekeeper.moderation.texts import LONGEST_TEXT, check_text
from gamekeeper.users import ranks
from gamekeeper.users.ranks import Management

MOST_NOTES = 200
"""Notes of one case."""


class InvalidNote(Invalid):
    """A note must have 1 to 2,000 characters."""


class TooManyNotes(Invalid):
    """A case has at most 200 notes."""


class CaseCommand(Command, frozen=True, kw_only=True):
    """Something about one case."""

    case_id: UUID
    caller: Principal | None = None
    """None: the command line, which may handle every case."""


class CaseClaim(CaseCommand, frozen=True, kw_only=True):
    pass


class CaseRelease(CaseCommand, frozen=True, kw_only=True):
    pass


class NewNote(CaseCommand, frozen=True, kw_only=True):
    id: UUID = field(default_factory=ids.new_id)
    text: str

    def __repr__(self) -> str:
        return f"NewNote({self.case_id})"


class CaseNote(Record, frozen=True, kw_only=True):
    """A note about a case, for staff."""

    id: UUID
    at: Instant
    by: str
    by_name: str
    text: str | None
    """Null if the account was erased, or the texts of the case have expired."""


def check_note(text: str) -> str:
    """The note without space around it, or InvalidNote."""
    text = check_text("text", text, LONGEST_TEXT)
    if not text:
        raise InvalidNote
    return text


async def lock(writer: Writer, cases: Sequence[UUID]) -> dict[UUID, Any]:
    """Lock cases in the order of their ids."""
    rows = await writer.rows(
        """
        SELECT id, user_id, player_id, claimed_by, claimed_by_name, closed_at
          FROM cases WHERE id = ANY($1) ORDER BY id FOR UPDATE
        """,
        list(cases),
    )
    return {row["id"]: row for row in rows}


async def refusals(
    writer: Writer, commands: Sequence[CaseCommand], found: Mapping[UUID, Any]
) -> list[Problem | None]:
    """Why each caller may not handle its case: it is unknown, their own, or of a higher rank."""
    rows = [found.get(command.case_id) for command in commands]
    outranked = await ranks.refusals(
        writer,
        [
            Management(command.caller, row["user_id"] if row else None)
            for command, row in zip(commands, rows, strict=True)
        ],
    )
    return [
        _refusal(command, row) or above
        for command, row, above in zip(commands, rows, outranked, strict=True)
    ]


def _refusal(command: CaseCommand, row: Any) -> Problem | None:
    if row is None:
        return records.missing(command.case_id)
    if command.caller and command.caller.user_id == row["user_id"]:
        return OwnCase()
    return None


def claimed(row: Any) -> CaseClaimed:
    """Names who was faster."""
    name = row["claimed_by_name"]
    return CaseClaimed(
        f"{name} has claimed this case. Ask them to release it, or release it yourself.",
        claimed_by=row["claimed_by"],
        claimed_by_name=name,
    )


@operation
async def claim(writer: Writer, commands: Sequence[CaseClaim]) -> list[Case | Problem]:
    """Claim open cases that nobody has claimed; one's own again changes nothing."""

    def refusal(command: CaseCommand, row: Any) -> Problem | None:
        if row["closed_at"]:
            return CaseClosed()
        return claimed(row) if row["claimed_by"] not in (None, command.by.actor) else None

    async def write(changed: Sequence[CaseCommand]) -> None:
        await writer.run(
            """
            UPDATE cases
               SET claimed_at = now(), claimed_by = new.actor, claimed_by_name = new.name,
                   first_claimed_at = coalesce(first_claimed_at, now())
              FROM unnest($1::uuid[], $2::text[], $3::text[]) AS new (id, actor, name)
             WHERE cases.id = new.id
            """,
            [command.case_id for command in changed],
            [command.by.actor for command in changed],
            [command.by.name for command in changed],
        )

    return await _change(writer, "cases.claim", commands, refusal, write)


@operation
async def release(writer: Writer, commands: Sequence[CaseRelease]) -> list[Case | Problem]:
    """Release claimed cases, also those of others: a moderator may be on holiday."""

    def refusal(command: CaseCommand, row: Any) -> Problem | None:
        return CaseClosed() if row["closed_at"] else None

    async def write(changed: Sequence[CaseCommand]) -> None:
        await writer.run(
            """
            UPDATE cases SET claimed_at = NULL, claimed_by = NULL, claimed_by_name = NULL
             WHERE id = ANY($1)
            """,
            [command.case_id for command in changed],
        )

    return await _change(writer, "cases.release", commands, refusal, write)


async def _change(
    writer: Writer,
    kind: Kind,
    commands: Sequence[CaseCommand],
    refusal: Callable[[CaseCommand, Any], Problem | None],
    write: Callable[[Sequence[CaseCommand]], Any],
) -> list[Case | Problem]:
    """Change the claims of cases, of each once; one that is as wanted is left out."""
    found = await lock(writer, [command.case_id for command in commands])
    refused = await refusals(writer, commands, found)
    outcomes: list[Problem | None] = []
    changed: list[CaseCommand] = []
    for command, problem in zip(commands, refused, strict=True):
        row: Any = found.get(command.case_id)
        outcomes.append(problem or refusal(command, row))
        holder = command.by.actor if kind == "cases.claim" else None
        if outcomes[-1] is None and row["claimed_by"] != holder:
            changed.append(command)
            name = command.by.name if holder else None
            found[command.case_id] = dict(row) | {"claimed_by": holder, "claimed_by_name": name}
    await write(changed)
    await actions.record(writer, [action(kind, each, found[each.case_id]) for each in changed])
    cases = await records.find_cases(writer, list(found))
    return [
        problem or cases[command.case_id]
        for command, problem in zip(commands, outcomes, strict=True)
    ]


@operation
async def add_note(writer: Writer, commands: Sequence[NewNote]) -> list[CaseNote | Problem]:
    """Add notes for staff, to open and to closed cases."""
    found = await lock(writer, [command.case_id for command in commands])
    refused = await refusals(writer, commands, found)
    counts = await _notes(writer, list(found))
    outcomes: list[Problem | None] = []
    for command, problem in zip(commands, refused, strict=True):
        count = counts.get(command.case_id, 0)
        outcomes.append(problem or (TooManyNotes() if count >= MOST_NOTES else None))
        counts[command.case_id] = count + (outcomes[-1] is None)
    new = [note for note, problem in zip(commands, outcomes, strict=True) if problem is None]
    stored = await writer.all(
        CaseNote,
        """
        INSERT INTO case_notes (id, case_id, by, by_name, text, closed_at)
        SELECT new.*, cases.closed_at
          FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[])
               AS new (id, case_id, by, by_name, text)
          JOIN cases ON cases.id = new.case_id
        RETURNING id, at, by, by_name, text
        """,
        [note.id for note in new],
        [note.case_id for note in new],
        [note.by.actor for note in new],
        [note.by.name for note in new],
        [note.text for note in new],
    )
    await actions.record(
        writer,
        [action("cases.note", note, found[note.case_id], note_id=note.id) for note in new],
    )
    by_id = {note.id: note for note in stored}
    return [
        problem or by_id[command.id] for command, problem in zip(commands, outcomes, strict=True)
    ]


async def _notes(writer: Writer, cases: Sequence[UUID]) -> dict[UUID, int]:
    rows = await writer.rows(
        """
        SELECT case_id, count(*) AS notes FROM case_notes WHERE case_id = ANY($1) GROUP BY case_id
        """,
        list(cases),
    )
    return {row["case_id"]: row["notes"] for row in rows}


def action(kind: Kind, command: CaseCommand, row: Any, **about: object) -> Action:
    """The audit log says what was done; notes, and the reason of an outcome, stay in the case."""
    is_internal = kind in ("cases.note", "cases.close")
    return Action(
        kind=kind,
        by=structs.replace(command.by, reason=None) if is_internal else command.by,
        user_id=row["user_id"],
        player_id=row["player_id"],
        after={"case_id": command.case_id} | about,
    )
