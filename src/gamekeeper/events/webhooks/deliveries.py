"""Webhook deliveries: the log of messages and responses, replay, and tests."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Invalid, NotFound, Problem, TooManyRequests
from gamekeeper.core.schemas import LARGEST_PAGE, Record
from gamekeeper.db import jobs
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.events import records as events
from gamekeeper.events.records import FeedEvent
from gamekeeper.events.webhooks import owners, records
from gamekeeper.events.webhooks.management import CHANGED
from gamekeeper.events.webhooks.owners import OWNED, PERSONAL, Viewer
from gamekeeper.events.webhooks.records import missing
from gamekeeper.ledger import audit_log

TEST = "webhooks.test"
"""The kind of the job that sends a test, and of its message."""
MOST_REPLAYED = 1000
MOST_TESTS, TEST_SECONDS = 10, 60
"""Rate limit: the number of tests per webhook in that many seconds."""


class DeliveryNotFound(NotFound):
    """The webhook has no delivery with that id."""


class InvalidReplay(Invalid):
    """Send 'delivery', or 'from' and 'to', to choose the deliveries to send again."""


class WebhookOff(Conflict):
    """The webhook is disabled. Enable it first."""


class TooManyTests(TooManyRequests):
    """Too many tests were sent to this webhook. Wait before you send the next one."""

    cacheable = False


class Delivery(Record, frozen=True):
    id: UUID
    message_id: str
    """The `webhook-id`: the same for every attempt."""
    seq: int | None
    """The event's id; null for a test."""
    kind: str
    state: str
    """`waiting` to be tried (again), `delivered` or `failed`."""
    attempts: int
    tried_at: datetime | None
    status: int | None
    """The HTTP status of the last response."""
    answer: str | None
    """The beginning of the last response."""
    fault: str | None
    """Why there was no response."""


class DeliveryShown(Delivery, frozen=True, kw_only=True):
    payload: Any
    """The payload: `type`, `timestamp` and `data`."""


class Deliveries(Record, frozen=True):
    values: list[Delivery]
    next: UUID | None


class Replayed(Record, frozen=True):
    count: int
    complete: bool
    """Whether that was all; at most 1,000 are sent again at once."""


class Test(Struct, frozen=True):
    """The job that sends one test."""

    webhook: UUID
    delivery: UUID


COLUMNS: LiteralString = """
    id, message AS message_id, seq, kind, state, attempts, tried_at, status, answer, fault
"""
SHOWN: LiteralString = """
    delivery.id, message AS message_id, seq, kind, state, delivery.attempts, tried_at, status,
    answer, fault
"""


async def list_deliveries(
    reader: Reader, webhook: UUID, viewer: Viewer, before: UUID | None, limit: int
) -> Deliveries:
    """Newest first."""
    limit = max(1, min(LARGEST_PAGE, limit))
    await records.find_webhook(reader, webhook, viewer)
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
        before or audit_log.MAX_ID,
        limit + 1,
    )
    return Deliveries(
        values=found[:limit], next=found[limit - 1].id if len(found) > limit else None
    )


async def find_delivery(
    reader: Reader, webhook: UUID, viewer: Viewer, delivery: UUID
) -> DeliveryShown:
    """A delivery with its payload, redacted unless both owner and viewer may see all of it."""
    found = await reader.rows(
        f"""
        SELECT {SHOWN}, owner, {PERSONAL} AS personal
          FROM webhook_deliveries AS delivery JOIN {OWNED} ON webhooks.id = webhook_id
         WHERE webhook_id = $1 AND delivery.id = $2
        """,
        webhook,
        delivery,
    )
    if not found or not viewer.may_touch(found[0]["owner"]):
        raise DeliveryNotFound
    about = dict(found[0])
    del about["owner"]
    personal = about.pop("personal") and viewer.sees_personal
    payload = await body(reader, about["seq"], about["id"], emails=personal)
    return DeliveryShown(**about, payload=msgspec.json.decode(payload))


async def body(reader: Reader, seq: int | None, delivery: UUID, *, emails: bool) -> bytes:
    """The message body; for an event the same bytes each time it is sent."""
    if seq is None:
        said = {"type": TEST, "timestamp": _time_of(delivery), "data": {"Test": True}}
        return msgspec.json.encode(said)
    for event in await events.page(reader, seq - 1, 1):
        # If retention dropped the event, this is the one after it.
        if event.seq == seq:
            return payload(event, emails=emails)
    raise DeliveryNotFound("The event is no longer in the log.")


def payload(event: FeedEvent, *, emails: bool) -> bytes:
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


class Replay(Command, frozen=True, kw_only=True):
    """One delivery, or all matching events between two instants."""

    viewer: Viewer
    webhook: UUID
    delivery: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


class Testing(Command, frozen=True, kw_only=True):
    viewer: Viewer
    webhook: UUID


@operation
async def replay(writer: Writer, commands: Sequence[Replay]) -> list[Replayed | Problem]:
    """Queue events to be sent again, in their order and with their original ids."""
    return [await _replayed(writer, command) for command in commands]


async def _replayed(writer: Writer, command: Replay) -> Replayed | Problem:
    webhook = await records.locked(writer, command.webhook, command.viewer)
    if webhook is None:
        return missing(command.webhook)
    if not webhook.enabled:
        return WebhookOff()
    if command.delivery:
        rows = await writer.rows(AGAIN, command.webhook, command.delivery)
        if not rows:
            return DeliveryNotFound()
    else:
        rows = await writer.rows(
            BETWEEN,
            command.webhook,
            command.since,
            command.until,
            audit_log.earliest(command.since, None, -audit_log.CLOCK_SKEW),
            audit_log.earliest(command.until, audit_log.MAX_ID, audit_log.CLOCK_SKEW),
            MOST_REPLAYED + 1,
        )
    wanted = rows[:MOST_REPLAYED]
    await writer.run(
        """
        INSERT INTO webhook_deliveries (webhook_id, id, message, seq, kind, state)
        SELECT $1, id, 'evt_' || seq, seq, kind, 'waiting'
          FROM unnest($2::uuid[], $3::bigint[], $4::text[]) AS again (id, seq, kind)
        """,
        command.webhook,
        [ids.new_id() for _ in wanted],
        [row["seq"] for row in wanted],
        [row["kind"] for row in wanted],
    )
    await writer.run("SELECT pg_notify($1, '')", CHANGED)
    return Replayed(count=len(wanted), complete=len(wanted) == len(rows))


AGAIN: LiteralString = """
    SELECT seq, kind FROM webhook_deliveries
     WHERE webhook_id = $1 AND id = $2 AND seq IS NOT NULL
"""
# Events after the webhook's position will be sent anyway.
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
async def test(writer: Writer, commands: Sequence[Testing]) -> list[Delivery | Problem]:
    """Queue tests, ahead of all waiting deliveries."""
    return [await _tested(writer, command) for command in commands]


async def _tested(writer: Writer, command: Testing) -> Delivery | Problem:
    webhook = await records.locked(writer, command.webhook, command.viewer)
    if webhook is None:
        return missing(command.webhook)
    if webhook.off_reason in owners.GONE:
        return WebhookOff(
            "The owner no longer has permission for webhooks. A manager can take this webhook over."
        )
    if await writer.value(RECENT, command.webhook, _ago(TEST_SECONDS)) >= MOST_TESTS:
        return TooManyTests(TEST_SECONDS)
    id_ = ids.new_id()
    [made] = await writer.all(
        Delivery,
        f"""
        INSERT INTO webhook_deliveries (webhook_id, id, message, kind, state)
        VALUES ($1, $2, $3, '{TEST}', 'waiting')
        RETURNING {COLUMNS}
        """,
        command.webhook,
        id_,
        f"test_{id_}",
    )
    await jobs.enqueue(writer, TEST, [Test(command.webhook, id_)])
    return made


# Ids are in the order of time, so only the last minute is read.
RECENT: LiteralString = f"""
    SELECT count(*) FROM webhook_deliveries
     WHERE webhook_id = $1 AND id > $2 AND kind = '{TEST}'
"""


def _ago(seconds: int) -> UUID:
    """The lowest id of that many seconds ago."""
    return audit_log.earliest(datetime.now(UTC) - timedelta(seconds=seconds), None, timedelta())
