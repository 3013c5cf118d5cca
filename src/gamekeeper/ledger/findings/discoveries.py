"""
New findings, each stored once and recorded as an action, which is also its event.

The same is found once: what it is about and when is unique. While a finding is open, it grows
with what it is about; once it is acknowledged, it stays as it was.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import ids
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.findings.records import Measure

WORKER = AuditContext(actor="worker", name="worker")
"""The actor of actions that no person and no program asked for."""


class Found(Struct, frozen=True, kw_only=True):
    """What was found in a period; the period and all before it name it."""

    measure: Measure
    rule: str | None = None
    item_id: UUID | None = None
    actor: str | None = None
    user_id: UUID | None = None
    began_at: datetime
    ended_at: datetime
    quantity: int
    usual: int | None = None
    threshold: int

    @property
    def about(self) -> str:
        subject = self.actor or self.user_id or ""
        named = (self.rule or "", self.measure, self.item_id or "", subject)
        return " ".join(map(str, (*named, self.began_at.isoformat())))


async def store(writer: Writer, found: Sequence[Found]) -> int:
    """Store what is new, and let open findings grow; returns how many are new."""
    if not found:
        return 0
    rows = await writer.rows(
        STORE,
        *columns(
            (
                *(ids.new_id(), one.about, one.measure, one.rule, one.item_id, one.actor),
                *(one.user_id, one.began_at, one.ended_at, one.quantity),
                *(one.usual, one.threshold),
            )
            for one in found
        ),
    )
    by_about = {one.about: one for one in found}
    new = [(row["id"], by_about[row["about"]]) for row in rows if row["is_new"]]
    await actions.record(writer, [_action(finding, one) for finding, one in new])
    return len(new)


# xmax is 0 in a row that this statement inserted.
STORE: LiteralString = """
    INSERT INTO findings AS old (id, about, measure, rule, item_id, actor, user_id, began_at,
                                 ended_at, quantity, usual, threshold)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[],
                         $7::uuid[], $8::timestamptz[], $9::timestamptz[], $10::bigint[],
                         $11::bigint[], $12::bigint[])
    ON CONFLICT (about) DO UPDATE
       SET quantity = excluded.quantity, ended_at = greatest(old.ended_at, excluded.ended_at)
     WHERE old.acknowledged_at IS NULL AND old.quantity < excluded.quantity
    RETURNING id, about, xmax = 0 AS is_new
"""


def _action(finding: UUID, one: Found) -> Action:
    facts = {
        "finding": finding,
        "measure": one.measure,
        "quantity": one.quantity,
        "threshold": one.threshold,
        "began_at": one.began_at,
        "ended_at": one.ended_at,
    }
    known = {"rule": one.rule, "usual": one.usual, "actor": one.actor}
    return Action(
        kind="findings.open",
        by=WORKER,
        item_id=one.item_id,
        user_id=one.user_id,
        after=facts | {name: value for name, value in known.items() if value is not None},
    )


async def grow(writer: Writer, one: Found) -> bool:
    """Let the open finding of the hour before grow by this hour; whether there is one."""
    return bool(
        await writer.rows(
            """
            UPDATE findings SET ended_at = $4, quantity = quantity + $5
             WHERE measure = $1 AND item_id IS NOT DISTINCT FROM $2 AND ended_at = $3
               AND rule IS NULL AND acknowledged_at IS NULL
            RETURNING id
            """,
            one.measure,
            one.item_id,
            one.began_at,
            one.ended_at,
            one.quantity,
        )
    )
