"""
The queue of appeals, and their decisions: the side of the staff.

A decision that lifts does so in its own transaction: there is no decision without the lift,
and no second one. Nobody decides about themselves, nor about an account that holds more.
Whoever imposed a sanction may decide its appeal: a small game has one moderator. The queue
says so (`ImposedByYou`), and the audit log names both.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Conflict, Forbidden, Invalid, NotFound, Problem
from gamekeeper.core.schemas import Page, Record, Window
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.moderation.appeals import APPEAL_STATE, AppealState
from gamekeeper.moderation.names import with_names
from gamekeeper.sanctions import changes
from gamekeeper.sanctions.changes import Release
from gamekeeper.sanctions.in_force import NOT_OVER
from gamekeeper.sanctions.records import COLUMNS as SANCTION_COLUMNS
from gamekeeper.sanctions.records import Sanction
from gamekeeper.users import ranks
from gamekeeper.users.lookup import lock
from gamekeeper.users.ranks import Management

LONGEST_ANSWER = 2000


class AppealNotFound(NotFound):
    """No appeal has that id."""


class AppealDecided(Conflict):
    """This appeal has already been decided. Reload it to see the decision."""


class AppealClosed(Conflict):
    """The sanction has ended, so there is nothing to decide."""


class OwnAppeal(Forbidden):
    """You cannot decide your own appeal. Ask another staff member."""


class InvalidAnswer(Invalid):
    """The answer to the player must have 1 to 2000 characters."""


class Appeal(Record, frozen=True):
    """An appeal as staff sees it, with its sanction."""

    id: UUID
    state: AppealState
    text: str
    opened_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    decided_by_name: str | None
    answer: str | None
    reason: str | None
    """Of the decision, for staff only."""
    sanction: Sanction
    imposed_by_you: bool = False
    """Whether the caller imposed the sanction; if so, a colleague should decide."""

    def seen_by(self, caller: Principal | None) -> "Appeal":
        """As the caller sees it; None: the command line, which sees everything."""
        if caller is None:
            return self
        seen = structs.replace(self, imposed_by_you=self.sanction.imposed_by == caller.id)
        if caller.may("sanctions.read"):
            return seen
        return structs.replace(seen, text="", sanction=seen.sanction.redacted())


COLUMNS: LiteralString = f"""
    appeals.id, {APPEAL_STATE} AS state, text, opened_at, decided_at, decided_by, decided_by_name,
    answer, appeals.reason, sanction_id
"""
JOINED: LiteralString = "appeals JOIN sanctions ON sanctions.id = sanction_id"

CONDITIONS: dict[str | None, LiteralString] = {
    None: "true",
    "open": f"decided_at IS NULL AND {NOT_OVER}",
    "closed": f"decided_at IS NULL AND NOT ({NOT_OVER})",
    "lifted": "appeals.lifted",
    "kept": "NOT appeals.lifted",
}
OPEN_COUNT: LiteralString = f"""
    SELECT count(*)
      FROM (SELECT sanction_id FROM appeals WHERE decided_at IS NULL
             ORDER BY opened_at DESC, id DESC LIMIT 1000) AS undecided
      JOIN sanctions ON sanctions.id = sanction_id
     WHERE {NOT_OVER}
"""
"""
The open ones among the newest 1,000 that are undecided.

Without the limit, those whose sanctions have ended would be read too, forever.
"""
OPEN_FIRST: LiteralString = f"({CONDITIONS['open']}) DESC"
OLDEST_OPEN: LiteralString = f"CASE WHEN {CONDITIONS['open']} THEN opened_at END"


async def list_appeals(
    reader: Reader, state: AppealState | None, window: Window, caller: Principal | None
) -> Page[Appeal]:
    """The open ones first, of which the oldest waits longest; then the others, newest first."""
    condition = CONDITIONS[state]
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS}
          FROM {JOINED}
         WHERE {condition}
         ORDER BY {OPEN_FIRST}, {OLDEST_OPEN}, opened_at DESC, appeals.id
         LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
    )
    total = await reader.value(f"SELECT count(*) FROM {JOINED} WHERE {condition}")
    found = [appeal.seen_by(caller) for appeal in await _with_sanctions(reader, rows)]
    return Page.of(found, total, window)


async def find_appeal(reader: Reader, appeal: UUID, caller: Principal | None) -> Appeal:
    found = await _find_appeals(reader, [appeal])
    if appeal not in found:
        raise _missing(appeal)
    return found[appeal].seen_by(caller)


async def _find_appeals(reader: Queryable, appeals: Sequence[UUID]) -> dict[UUID, Appeal]:
    rows = await reader.rows(
        f"SELECT {COLUMNS} FROM {JOINED} WHERE appeals.id = ANY($1)", list(appeals)
    )
    return {appeal.id: appeal for appeal in await _with_sanctions(reader, rows)}


async def _with_sanctions(reader: Queryable, rows: Sequence[Any]) -> list[Appeal]:
    """The appeals with their sanctions, and the names of whom those are about."""
    found = await reader.all(
        Sanction,
        f"SELECT {SANCTION_COLUMNS} FROM sanctions WHERE id = ANY($1)",
        [row["sanction_id"] for row in rows],
    )
    sanctions = {sanction.id: sanction for sanction in await with_names(reader, found)}
    return [
        Appeal(
            **{name: value for name, value in row.items() if name != "sanction_id"},
            sanction=sanctions[row["sanction_id"]],
        )
        for row in rows
    ]


def _missing(appeal: UUID) -> AppealNotFound:
    return AppealNotFound(f"No appeal has the id '{appeal}'.")


class AppealDecision(Command, frozen=True, kw_only=True):
    appeal_id: UUID
    lift: bool
    answer: str
    """The text for the player."""
    caller: Principal | None = None
    """None: the command line, which may decide every appeal."""

    def __repr__(self) -> str:
        return f"AppealDecision({self.appeal_id}, lift={self.lift})"


def check_answer(answer: str) -> str:
    """The answer without the space around it, or InvalidAnswer."""
    answer = answer.strip()
    if not 1 <= len(answer) <= LONGEST_ANSWER:
        raise InvalidAnswer
    return answer


@operation
async def decide(writer: Writer, commands: Sequence[AppealDecision]) -> list[Appeal | Problem]:
    """Decide appeals: lift their sanctions, or keep them."""
    found = await _locked(writer, [command.appeal_id for command in commands])
    outranked = await ranks.refusals(writer, [_management(command, found) for command in commands])
    refused: list[Problem | None] = []
    decided: dict[UUID, AppealDecision] = {}
    for command, too_high in zip(commands, outranked, strict=True):
        refused.append(_refusal(command, found.get(command.appeal_id), decided) or too_high)
        if refused[-1] is None:
            decided[command.appeal_id] = command
    await _store(writer, decided)
    await _lift(
        writer,
        [(decision, found[decision.appeal_id]) for decision in decided.values() if decision.lift],
    )
    await actions.record(
        writer, [_action(decision, found[decision.appeal_id]) for decision in decided.values()]
    )
    after = await _find_appeals(writer, list(decided))
    return [
        problem or after[command.appeal_id].seen_by(command.caller)
        for command, problem in zip(commands, refused, strict=True)
    ]


def _management(command: AppealDecision, found: dict[UUID, Any]) -> Management:
    row = found.get(command.appeal_id)
    return Management(command.caller, row["user_id"] if row else None)


def _refusal(
    command: AppealDecision, row: Any, decided: dict[UUID, AppealDecision]
) -> Problem | None:
    if row is None:
        return _missing(command.appeal_id)
    if command.caller and command.caller.user_id == row["user_id"]:
        return OwnAppeal()
    if row["decided_at"] is not None or command.appeal_id in decided:
        return AppealDecided()
    return AppealClosed() if row["is_over"] else None


async def _locked(writer: Writer, appeals: Sequence[UUID]) -> dict[UUID, Any]:
    """Lock accounts, sanctions and appeals, in this order, as whoever lifts a sanction does."""
    rows = await writer.rows(
        f"SELECT sanction_id, user_id FROM {JOINED} WHERE appeals.id = ANY($1)", list(appeals)
    )
    sanctions = [row["sanction_id"] for row in rows]
    await lock(writer, [row["user_id"] for row in rows])
    await writer.run(
        "SELECT FROM sanctions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", sanctions
    )
    await writer.run(
        "SELECT FROM appeals WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", list(appeals)
    )
    # Read again: what was seen before the locks may have changed.
    locked = await writer.rows(
        f"""
        SELECT appeals.id, sanction_id, user_id, player_id, kind, decided_at,
               NOT ({NOT_OVER}) AS is_over
          FROM {JOINED} WHERE appeals.id = ANY($1)
        """,
        list(appeals),
    )
    return {row["id"]: row for row in locked}


async def _store(writer: Writer, decided: dict[UUID, AppealDecision]) -> None:
    await writer.run(
        """
        UPDATE appeals
           SET decided_at = now(), decided_by = new.by, decided_by_name = new.name,
               lifted = new.lifted, answer = new.answer, reason = new.reason
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bool[], $5::text[], $6::text[])
               AS new (id, by, name, lifted, answer, reason)
         WHERE appeals.id = new.id
        """,
        list(decided),
        [decision.by.actor for decision in decided.values()],
        [decision.by.name for decision in decided.values()],
        [decision.lift for decision in decided.values()],
        [decision.answer for decision in decided.values()],
        [decision.by.reason or "" for decision in decided.values()],
    )


async def _lift(writer: Writer, lifted: Sequence[tuple[AppealDecision, Any]]) -> None:
    """Lift the sanctions; the reason stays with them, and out of the audit log."""
    releases = [
        Release(by=_unreasoned(decision.by), id=row["sanction_id"], reason=decision.by.reason or "")
        for decision, row in lifted
    ]
    await changes.mark_lifted(writer, releases)


def _unreasoned(by: AuditContext) -> AuditContext:
    return structs.replace(by, reason=None)


def _action(command: AppealDecision, row: Any) -> Action:
    """The audit log says what was decided; the answer and the reason stay in the appeal."""
    return Action(
        kind="appeals.decide",
        by=_unreasoned(command.by),
        user_id=row["user_id"],
        player_id=row["player_id"],
        after={
            "appeal_id": command.appeal_id,
            "sanction_id": row["sanction_id"],
            "kind": row["kind"],
            "lifted": command.lift,
        },
    )
