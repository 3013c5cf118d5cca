"""
Appeals of players: by the code of a sanction, without an account.

Whoever holds the code may know what the sanction is, until when, and what was answered;
never who imposed it, the internal reason, or what earlier appeals said. A note has a code
too, but it is for staff: here it is answered exactly as a code that nobody has.

Codes can be guessed, so each attempt is charged (`auth/login_throttle.py`) before the code is
looked up: to the address, which a right code refunds, and to the code.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, LiteralString
from uuid import UUID

from msgspec import Struct, field, structs

from gamekeeper.auth import login_throttle
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions import codes
from gamekeeper.sanctions.in_force import NOT_OVER

LONGEST_TEXT = 4000
MOST_APPEALS = 3
"""Of one sanction: a second thought and a third, and no siege."""

AppealState = Literal["open", "lifted", "kept", "closed"]
"""`closed`: nobody decided it before its sanction was over."""

SanctionState = Literal["scheduled", "in_force", "ended", "lifted"]

APPEAL_STATE: LiteralString = f"""
    CASE WHEN decided_at IS NULL AND {NOT_OVER} THEN 'open'
         WHEN decided_at IS NULL THEN 'closed'
         WHEN appeals.lifted THEN 'lifted' ELSE 'kept' END
"""


class UnknownSanctionCode(NotFound):
    """No sanction has this code, or it cannot be appealed. Check the code."""


class InvalidAppeal(Invalid):
    """An appeal must have 1 to 4000 characters."""


class SanctionOver(Conflict):
    """This sanction has ended; there is nothing to appeal."""


class AppealPending(Conflict):
    """This sanction already has an open appeal. Wait for the answer."""


class NoAppealsLeft(Conflict):
    """This sanction was appealed three times. The last decision is final."""


class AppealOutcome(Record, frozen=True):
    """An appeal as the player sees it, without its text: others may know the code."""

    state: AppealState
    """
    `open`: waiting for a decision; `lifted` or `kept`: the decision; `closed`: the sanction ended
    before a decision.
    """
    opened_at: datetime
    decided_at: datetime | None
    answer: str | None
    """The answer of staff; null until then."""


class AppealStatus(Record, frozen=True):
    """A sanction as the player sees it, by its code."""

    code: str
    kind: str
    """`ban`, `mute`, `trade_lock` or `warning`."""
    target: Literal["account", "character"]
    state: SanctionState
    starts_at: datetime
    until: datetime | None
    """RFC 3339; null if permanent."""
    message: str
    """The text for the player."""
    may_appeal: bool
    """Whether an appeal is possible now."""
    appeals_left: int
    """The number of appeals left, of three in total."""
    appeals: list[AppealOutcome]
    """The appeals so far, oldest first, without their texts."""


async def find_status(database: Database, code: str, address: str) -> AppealStatus:
    """What the holder of a code may know; the attempt is charged."""
    sanction = await _redeem(database, code, address)
    return await _status(database.reader, sanction)


async def appeal(database: Database, code: str, text: str, by: AuditContext) -> AppealStatus:
    """Appeal the sanction with this code; the attempt is charged."""
    text = text.strip()
    if not 1 <= len(text) <= LONGEST_TEXT:
        raise InvalidAppeal
    sanction = await _redeem(database, code, by.address)
    await submit.one(database, NewAppeal(by=by, sanction_id=sanction, text=text))
    return await _status(database.reader, sanction)


async def _redeem(database: Database, typed: str, address: str) -> UUID:
    """The sanction with a code, or UnknownSanctionCode."""
    if (code := codes.parse(typed)) is None:
        raise UnknownSanctionCode
    found = await database.write(lambda writer: _charge(writer, code, address))
    if found is None:
        raise UnknownSanctionCode
    return found


async def _charge(writer: Writer, code: str, address: str) -> UUID | None:
    """
    Charge an attempt, and look the code up in the same transaction.

    A guess must not be cheaper than a right code, so both commit a charge. A right one refunds
    the address: many players may share it, and they are no guessers.
    """
    source = f"appeal:{login_throttle.from_address(address)}"
    await login_throttle.charge_all(writer, [source, f"appeal_code:{code}"])
    found = await writer.value("SELECT id FROM sanctions WHERE code = $1 AND kind <> 'note'", code)
    if found is not None:
        await login_throttle.refund(writer, source)
    return found


async def _status(reader: Queryable, sanction: UUID) -> AppealStatus:
    row, *_ = await reader.rows(
        """
        SELECT code, kind, starts_at, nullif(ends_at, 'infinity') AS until, message,
               CASE WHEN player_id IS NULL THEN 'account' ELSE 'character' END AS target,
               CASE WHEN lifted_at IS NOT NULL THEN 'lifted'
                    WHEN ends_at <= statement_timestamp() THEN 'ended'
                    WHEN starts_at > statement_timestamp() THEN 'scheduled'
                    ELSE 'in_force' END AS state
          FROM sanctions WHERE id = $1
        """,
        sanction,
    )
    outcomes = await reader.all(
        AppealOutcome,
        f"""
        SELECT {APPEAL_STATE} AS state, opened_at, decided_at, answer
          FROM appeals JOIN sanctions ON sanctions.id = sanction_id
         WHERE sanction_id = $1 ORDER BY opened_at, appeals.id
        """,
        sanction,
    )
    made = _Made(len(outcomes), is_pending=any(outcome.state == "open" for outcome in outcomes))
    is_over = row["state"] in ("ended", "lifted")
    return AppealStatus(
        **row,
        may_appeal=made.refusal(is_over=is_over) is None,
        appeals_left=0 if is_over else MOST_APPEALS - made.count,
        appeals=outcomes,
    )


class _Made(Struct, frozen=True):
    """The appeals that were made of a sanction."""

    count: int
    is_pending: bool

    def refusal(self, *, is_over: bool) -> Problem | None:
        """Why there can be no other one; None if there can."""
        if is_over:
            return SanctionOver()
        if self.is_pending:
            return AppealPending()
        return NoAppealsLeft() if self.count >= MOST_APPEALS else None


class NewAppeal(Command, frozen=True, kw_only=True):
    id: UUID = field(default_factory=ids.new_id)
    sanction_id: UUID
    text: str

    def __repr__(self) -> str:
        return f"NewAppeal({self.sanction_id})"


@operation
async def submit(writer: Writer, commands: Sequence[NewAppeal]) -> list[UUID | Problem]:
    """Open appeals: of each sanction one at a time, and three in all."""
    sanctions = await _locked(writer, [command.sanction_id for command in commands])
    made = await _made(writer, list(sanctions))
    outcomes: list[UUID | Problem] = []
    opened: dict[UUID, NewAppeal] = {}
    for command in commands:
        sanction = sanctions.get(command.sanction_id)
        if sanction is None:
            outcomes.append(UnknownSanctionCode())
            continue
        before = made[sanction["id"]]
        if refused := before.refusal(is_over=sanction["is_over"]):
            outcomes.append(refused)
            continue
        made[sanction["id"]] = _Made(before.count + 1, is_pending=True)
        outcomes.append(command.id)
        opened[command.id] = command
    await _insert(writer, opened)
    await actions.record(
        writer,
        [
            _action(appeal, command, sanctions[command.sanction_id])
            for appeal, command in opened.items()
        ],
    )
    return outcomes


async def _locked(writer: Writer, sanctions: Sequence[UUID]) -> dict[UUID, Any]:
    """The sanctions that can be appealed; locked, so that appeals come one after another."""
    rows = await writer.rows(
        f"""
        SELECT id, user_id, player_id, kind, NOT ({NOT_OVER}) AS is_over
          FROM sanctions WHERE id = ANY($1) AND kind <> 'note'
         ORDER BY id FOR NO KEY UPDATE
        """,
        list(sanctions),
    )
    return {row["id"]: row for row in rows}


async def _made(writer: Writer, sanctions: Sequence[UUID]) -> dict[UUID, _Made]:
    rows = await writer.rows(
        """
        SELECT sanction_id, count(*) AS count, bool_or(decided_at IS NULL) AS is_pending
          FROM appeals WHERE sanction_id = ANY($1) GROUP BY sanction_id
        """,
        sanctions,
    )
    found = {row["sanction_id"]: _Made(row["count"], row["is_pending"]) for row in rows}
    return dict.fromkeys(sanctions, _Made(0, is_pending=False)) | found


async def _insert(writer: Writer, opened: dict[UUID, NewAppeal]) -> None:
    await writer.run(
        """
        INSERT INTO appeals (id, sanction_id, text)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])
        """,
        list(opened),
        [command.sanction_id for command in opened.values()],
        [command.text for command in opened.values()],
    )


def _action(appeal_id: UUID, command: NewAppeal, sanction: Any) -> Action:
    """The audit log says that there is an appeal; what it says stays in the appeal."""
    return Action(
        kind="appeals.open",
        # Anybody could send a reason, and it would stay in the log for good.
        by=structs.replace(command.by, reason=None),
        user_id=sanction["user_id"],
        player_id=sanction["player_id"],
        after={"appeal_id": appeal_id, "sanction_id": sanction["id"], "kind": sanction["kind"]},
    )
