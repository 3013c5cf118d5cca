"""The queue of findings: open and acknowledged ones, and the actions behind each."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.ids import NIL, id_at
from gamekeeper.core.schemas import Page, Record, Window
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions, places
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.findings.records import (
    COLUMNS,
    JOINED,
    EconomyFinding,
    FindingNotFound,
    FindingState,
)
from gamekeeper.ledger.mailboxes import IS_GIFT_LETTER, SENT_ITEMS

MAX_NOTE_LENGTH = 500
MAX_ACTIONS = 20


class FindingAcknowledged(Conflict):
    """This finding has already been acknowledged. Reload it to see the note."""


class InvalidFindingNote(Invalid):
    """A note must have 1 to 500 characters."""


class FindingDetails(Record, frozen=True):
    finding: EconomyFinding
    actions: list[UUID]
    """
    The ids of up to twenty actions behind it, the largest first. They are in the audit log:
    `/api/v1/actions/{id}`. The largest movements are kept for 92 days.
    """


CONDITIONS: dict[FindingState | None, LiteralString] = {
    None: "true",
    "open": "acknowledged_at IS NULL",
    "acknowledged": "acknowledged_at IS NOT NULL",
}


async def list_findings(
    reader: Reader, state: FindingState | None, item: UUID | None, window: Window
) -> Page[EconomyFinding]:
    """The newest first: all, in one state, or about one item."""
    condition: LiteralString = f"{CONDITIONS[state]} AND ($1::uuid IS NULL OR item_id = $1)"
    found = await reader.all(
        EconomyFinding,
        f"""
        SELECT {COLUMNS} FROM {JOINED} WHERE {condition}
         ORDER BY findings.id DESC LIMIT $2 OFFSET $3
        """,
        item,
        window.shown,
        window.offset,
    )
    total = await reader.value(f"SELECT count(*) FROM findings WHERE {condition}", item)
    return Page.of(found, total, window)


async def find_finding(reader: Queryable, finding: UUID) -> EconomyFinding:
    sql: LiteralString = f"SELECT {COLUMNS} FROM {JOINED} WHERE findings.id = $1"
    found = await reader.all(EconomyFinding, sql, finding)
    if not found:
        raise missing(finding)
    return found[0]


async def find_details(reader: Reader, finding: UUID) -> FindingDetails:
    """A finding and the actions behind it, by indexes and sums only."""
    found = await find_finding(reader, finding)
    rows = await _actions_behind(reader, found)
    return FindingDetails(finding=found, actions=[row["action_id"] for row in rows])


async def _actions_behind(reader: Reader, found: EconomyFinding) -> Sequence[Any]:
    period = (found.began_at, found.ended_at, MAX_ACTIONS)
    match found.measure:
        case "given":
            return await reader.rows(GIFTS, *_ids(found), found.item_id, found.actor, *period)
        case "accounts":
            return await reader.rows(REGISTRATIONS, *_ids(found), *period)
        case "received":
            return await reader.rows(RECEIPTS, found.item_id, found.user_id, *period)
        case _:
            return await reader.rows(MOVEMENTS, found.item_id, found.measure, *period)


def _ids(found: EconomyFinding) -> tuple[UUID, UUID]:
    """The first and the last id of actions of the period: ids begin with their time."""
    return id_at(NIL, found.began_at), id_at(NIL, found.ended_at)


# Rows are compared, so that an index in that order finds them (see ADR 0059). `at` only chooses
# the partitions. Who gave in the hour is known from the sums.
GIFTS: LiteralString = f"""
    WITH givers AS (
        SELECT DISTINCT actor FROM item_gifts
         WHERE hour >= date_trunc('hour', $5::timestamptz) AND hour < $6
           AND ($3::uuid IS NULL OR item_id = $3) AND ($4::text IS NULL OR actor = $4)
         LIMIT 20
    )
    SELECT gift.id AS action_id
      FROM givers
     CROSS JOIN LATERAL (
               SELECT id, CASE kind WHEN 'items.give'
                               THEN (after ->> 'total')::bigint - (before ->> 'total')::bigint
                               ELSE sent.quantity END AS given
                 FROM actions
                 LEFT JOIN LATERAL (
                      SELECT sum((item ->> 'quantity')::bigint) AS quantity
                        FROM jsonb_array_elements(
                                 CASE kind WHEN 'mail.send' THEN {SENT_ITEMS} END) AS item
                       WHERE $3::uuid IS NULL OR (item ->> 'item_id')::uuid = $3
                 ) AS sent ON true
                WHERE (actions.actor, id) >= (givers.actor, $1)
                  AND (actions.actor, id) < (givers.actor, $2)
                  AND at BETWEEN $5::timestamptz - interval '1 day'
                             AND $6::timestamptz + interval '1 day'
                  AND (kind = 'items.give' AND ($3::uuid IS NULL OR item_id = $3)
                       OR kind = 'mail.send' AND {IS_GIFT_LETTER} AND sent.quantity > 0)
                ORDER BY actions.actor, id
                LIMIT 1000
           ) AS gift
     ORDER BY given DESC, id
     LIMIT $7
"""

REGISTRATIONS: LiteralString = """
    SELECT id AS action_id
      FROM actions
     WHERE (kind, id) >= ('users.register', $1) AND (kind, id) < ('users.register', $2)
       AND at BETWEEN $3::timestamptz - interval '1 day' AND $4::timestamptz + interval '1 day'
     ORDER BY kind, id
     LIMIT $5
"""

RECEIPTS: LiteralString = """
    SELECT action_id
      FROM item_movements
      JOIN players ON players.id = player_id
     WHERE players.user_id = $2 AND ($1::uuid IS NULL OR item_id = $1) AND quantity > 0
       AND at >= $3 AND at < $4
     ORDER BY quantity DESC, action_id
     LIMIT $5
"""

MOVEMENTS: LiteralString = f"""
    SELECT action_id
      FROM item_movements
     WHERE ($1::uuid IS NULL OR item_id = $1)
       AND day BETWEEN ($3::timestamptz AT TIME ZONE 'UTC')::date
                   AND ($4::timestamptz AT TIME ZONE 'UTC')::date
       AND at >= $3 AND at < $4
       AND CASE $2 WHEN 'created' THEN against = 'grant' AND quantity > 0
                   WHEN 'destroyed' THEN against = 'removal' AND quantity < 0
                   ELSE {places.IS_TRADE} AND quantity > 0 END
     ORDER BY abs(quantity) DESC, action_id
     LIMIT $5
"""


class Acknowledgement(Command, frozen=True, kw_only=True):
    finding_id: UUID
    note: str


def check_note(note: str) -> str:
    """The note without the space around it, or InvalidFindingNote."""
    note = note.strip()
    if not 1 <= len(note) <= MAX_NOTE_LENGTH or not note.replace("\n", "").isprintable():
        raise InvalidFindingNote
    return note


@operation
async def acknowledge(
    writer: Writer, commands: Sequence[Acknowledgement]
) -> list[EconomyFinding | Problem]:
    """Acknowledge findings, each once, with a note."""
    return [await _acknowledged(writer, command) for command in commands]


async def _acknowledged(writer: Writer, command: Acknowledgement) -> EconomyFinding | Problem:
    by, finding = command.by, command.finding_id
    rows = await writer.rows(
        """
        UPDATE findings
           SET acknowledged_at = now(), acknowledged_by = $2, acknowledged_by_name = $3, note = $4
         WHERE id = $1 AND acknowledged_at IS NULL
        RETURNING item_id, user_id
        """,
        finding,
        by.actor,
        by.name,
        command.note,
    )
    if not rows:
        exists = await writer.value("SELECT EXISTS (SELECT FROM findings WHERE id = $1)", finding)
        return FindingAcknowledged() if exists else missing(finding)
    action = Action(
        kind="findings.acknowledge",
        by=by,
        item_id=rows[0]["item_id"],
        user_id=rows[0]["user_id"],
        before={"finding": finding, "state": "open"},
        after={"finding": finding, "state": "acknowledged", "note": command.note},
    )
    await actions.record(writer, [action])
    return await find_finding(writer, finding)


def missing(finding: UUID) -> FindingNotFound:
    return FindingNotFound(f"No finding has the id '{finding}'.")
