"""What was sent to a webhook, what came back, and what is to be sent again."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper import ids, jobs
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.events import records as events
from gamekeeper.events.records import Event
from gamekeeper.ledger import log
from gamekeeper.operations import Order, operation
from gamekeeper.shapes import LARGEST_PAGE, Record
from gamekeeper.webhooks.changing import CHANGED
from gamekeeper.webhooks.records import missing

TEST = "webhooks.test"
"""The kind of the job that sends a test, and of what it sends."""
MOST_REPLAYED = 1000


class DeliveryNotFound(NotFound):
    """The webhook has no delivery with that id."""


class InvalidReplay(Invalid):
    """Name the delivery, or the first and the last instant, of what is to be sent again."""


class WebhookOff(Conflict):
    """The webhook is switched off; switch it on first."""


class Delivery(Record, frozen=True):
    id: UUID
    message_id: str
    seq: int | None
    kind: str
    state: str
    attempts: int
    tried_at: datetime | None
    status: int | None
    answer: str | None
    fault: str | None


class DeliveryShown(Delivery, frozen=True, kw_only=True):
    payload: Any


class Deliveries(Record, frozen=True):
    values: list[Delivery]
    next: UUID | None


class Replayed(Record, frozen=True):
    count: int
    complete: bool


class Test(Struct, frozen=True):
    """The job of sending one."""

    webhook: UUID
    delivery: UUID


COLUMNS: LiteralString = """
    id, message AS message_id, seq, kind, state, attempts, tried_at, status, answer, fault
"""


async def listed(reader: Reader, webhook: UUID, before: UUID | None, limit: int) -> Deliveries:
    """Newest first."""
    limit = max(1, min(LARGEST_PAGE, limit))
    if not await reader.value("SELECT true FROM webhooks WHERE id = $1", webhook):
        raise missing(webhook)
    found = await reader.all(
        Delivery,
        f"""
        SELECT {COLUMNS}
          FROM webhook_deliveries
         WHERE webhook_id = $1 AND id < $2
         ORDER BY id DESC
         LIMIT $3
        """,
        webhook,
        before or log.LAST,
        limit + 1,
    )
    return Deliveries(
        values=found[:limit], next=found[limit - 1].id if len(found) > limit else None
    )


async def one(reader: Reader, webhook: UUID, delivery: UUID) -> DeliveryShown:
    found = await reader.rows(
        f"""
        SELECT {COLUMNS}, emails
          FROM webhook_deliveries
          JOIN (SELECT id AS webhook_id, emails FROM webhooks) AS webhook USING (webhook_id)
         WHERE webhook_id = $1 AND id = $2
        """,
        webhook,
        delivery,
    )
    if not found:
        raise DeliveryNotFound
    about = dict(found[0])
    payload = await body(reader, about["seq"], about["id"], emails=about.pop("emails"))
    return DeliveryShown(**about, payload=msgspec.json.decode(payload))


async def body(reader: Reader, seq: int | None, delivery: UUID, *, emails: bool) -> bytes:
    """What is sent: of an event always the same bytes, however often and whenever it is sent."""
    if seq is None:
        said = {"type": TEST, "timestamp": _time_of(delivery), "data": {"Test": True}}
        return msgspec.json.encode(said)
    for event in await events.page(reader, seq - 1, 1):
        return payload(event, emails=emails)
    raise DeliveryNotFound("The event is no longer in the log.")


def payload(event: Event, *, emails: bool) -> bytes:
    return b'{"type":%s,"timestamp":%s,"data":%s}' % (
        msgspec.json.encode(event.entry.kind),
        msgspec.json.encode(event.entry.at),
        event.json(emails=emails),
    )


def message_id(seq: int) -> str:
    return f"evt_{seq}"


def _time_of(id_: UUID) -> str:
    return f"{datetime.fromtimestamp((id_.int >> 80) / 1000, tz=UTC):%Y-%m-%dT%H:%M:%SZ}"


# ── Sending again ──


class Replay(Order, frozen=True, kw_only=True):
    """One delivery, or everything between two instants that the webhook wants."""

    webhook: UUID
    delivery: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


class Testing(Order, frozen=True, kw_only=True):
    webhook: UUID


@operation
async def replay(writer: Writer, orders: Sequence[Replay]) -> list[Replayed | Problem]:
    """Have events sent once more, in their order and under the ids they had."""
    return [await _replayed(writer, order) for order in orders]


async def _replayed(writer: Writer, order: Replay) -> Replayed | Problem:
    refused = await _refusal(writer, order.webhook)
    if refused:
        return refused
    if order.delivery:
        rows = await writer.rows(AGAIN, order.webhook, order.delivery)
        if not rows:
            return DeliveryNotFound()
    else:
        rows = await writer.rows(
            BETWEEN,
            order.webhook,
            order.since,
            order.until,
            log.earliest(order.since, None, -log.APART),
            log.earliest(order.until, log.LAST, log.APART),
            MOST_REPLAYED + 1,
        )
    wanted = rows[:MOST_REPLAYED]
    await writer.run(
        """
        INSERT INTO webhook_deliveries (webhook_id, id, message, seq, kind, state)
        SELECT $1, id, 'evt_' || seq, seq, kind, 'waiting'
          FROM unnest($2::uuid[], $3::bigint[], $4::text[]) AS again (id, seq, kind)
        """,
        order.webhook,
        [ids.fresh() for _ in wanted],
        [row["seq"] for row in wanted],
        [row["kind"] for row in wanted],
    )
    await writer.run("SELECT pg_notify($1, '')", CHANGED)
    return Replayed(count=len(wanted), complete=len(wanted) == len(rows))


AGAIN: LiteralString = """
    SELECT seq, kind FROM webhook_deliveries
     WHERE webhook_id = $1 AND id = $2 AND seq IS NOT NULL
"""
# What is beyond the webhook's position comes anyhow.
BETWEEN: LiteralString = """
    SELECT seq, kind
      FROM actions JOIN chain ON action_id = actions.id
     WHERE actions.id >= $4 AND actions.id <= $5 AND at >= $2 AND at <= $3
       AND seq <= (SELECT position FROM webhooks WHERE id = $1)
       AND coalesce(kind = ANY((SELECT kinds FROM webhooks WHERE id = $1)::text[]), true)
     ORDER BY seq
     LIMIT $6
"""


@operation
async def test(writer: Writer, orders: Sequence[Testing]) -> list[Delivery | Problem]:
    """Have a test sent, past everything that waits."""
    outcomes: list[Delivery | Problem] = []
    for order in orders:
        if refused := await _refusal(writer, order.webhook, on=False):
            outcomes.append(refused)
            continue
        id_ = ids.fresh()
        [made] = await writer.all(
            Delivery,
            f"""
            INSERT INTO webhook_deliveries (webhook_id, id, message, kind, state)
            VALUES ($1, $2, $3, '{TEST}', 'waiting')
            RETURNING {COLUMNS}
            """,
            order.webhook,
            id_,
            f"test_{id_}",
        )
        await jobs.enqueue(writer, TEST, [Test(order.webhook, id_)])
        outcomes.append(made)
    return outcomes


async def _refusal(writer: Writer, webhook: UUID, *, on: bool = True) -> Problem | None:
    enabled = await writer.value("SELECT enabled FROM webhooks WHERE id = $1 FOR UPDATE", webhook)
    if enabled is None:
        return missing(webhook)
    return None if enabled or not on else WebhookOff()
