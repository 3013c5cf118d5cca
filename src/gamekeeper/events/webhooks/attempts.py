"""Webhook delivery attempts: one signed message sent, its result recorded, retry backoff."""

import time
from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

import structlog
from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import ids
from gamekeeper.core.errors import Problem
from gamekeeper.core.observability import metrics, traces
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.db.operations import batched_operation
from gamekeeper.db.queries import batched_query
from gamekeeper.egress import http_client, targets
from gamekeeper.egress.connection_pool import ConnectionPool
from gamekeeper.egress.http_client import GONE, Outcome
from gamekeeper.egress.targets import Resolve, Target
from gamekeeper.events.webhooks import deliveries, signatures
from gamekeeper.events.webhooks.management import CHANGED
from gamekeeper.events.webhooks.owners import FAULT, OWNED, PERSONAL

RETRY_DELAYS: list[float] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
"""Backoff: seconds before the second attempt, the third and so on, as in Standard Webhooks."""

EXPIRED = "event_expired"
"""The fault of a delivery whose event is no longer in the log."""

log = structlog.get_logger()


class DeliveryState(Struct, frozen=True, kw_only=True):
    """The state of a webhook that its delivery task reads, with the oldest waiting delivery."""

    id: UUID
    url: str
    kinds: list[str] | None
    emails: bool
    secret: str
    old_secret: str | None
    enabled: bool
    owner_fault: str | None = None
    """Why the owner no longer has permission for the webhook."""
    position: int
    attempts: int
    pause: float
    """Seconds until the next attempt is due."""
    waiting: UUID | None
    waiting_seq: int | None


class WebhookMessage(Struct, frozen=True, kw_only=True):
    """A message to send: of a new event, or of a waiting delivery."""

    message: str
    seq: int | None
    kind: str
    body: bytes
    waiting: UUID | None = None


class AttemptResult(Struct, frozen=True, kw_only=True):
    """The result of one attempt: the message, the outcome, and the webhook's next state."""

    webhook: DeliveryState
    letter: WebhookMessage
    outcome: Outcome

    @property
    def state(self) -> str:
        if self.outcome.is_success:
            return "delivered"
        return "waiting" if self.off_reason is None else "failed"

    @property
    def off_reason(self) -> str | None:
        """Why this result switches the webhook off; None if it does not."""
        if self.outcome.status == GONE:
            return "answered 410"
        if self.outcome.is_success or self.webhook.attempts < len(RETRY_DELAYS):
            return None
        return f"given up after {self.webhook.attempts + 1} attempts"

    @property
    def attempts(self) -> int:
        return self.webhook.attempts + 1 if self.state == "waiting" else 0

    @property
    def pause(self) -> float | None:
        return RETRY_DELAYS[self.webhook.attempts] if self.state == "waiting" else None

    @property
    def position(self) -> int | None:
        """The webhook's position in the log; a message sent again does not move it."""
        return self.letter.seq if self.letter.waiting is None else self.webhook.position

    def log_failure(self) -> None:
        """Log a failure for the operator."""
        about = {"webhook": str(self.webhook.id), "fault": self.outcome.reason}
        if self.state == "failed":
            log.error("webhook_disabled", **about)
        elif self.state == "waiting":
            log.warning("webhook_delayed", **about)


@batched_query
async def standing(reader: Reader, webhooks: Sequence[UUID]) -> dict[UUID, DeliveryState]:
    """The states of webhooks; batched, because all delivery tasks query on each new event."""
    return {found.id: found for found in await reader.all(DeliveryState, STANDING, webhooks)}


STANDING: LiteralString = f"""
    SELECT webhooks.id, url, kinds, {PERSONAL} AS emails, secret,
           CASE WHEN old_until > statement_timestamp() THEN old_secret END AS old_secret,
           enabled, {FAULT} AS owner_fault, position, attempts,
           coalesce(extract(epoch FROM retry_at - now()), 0)::float AS pause,
           oldest.id AS waiting, oldest.seq AS waiting_seq
      FROM {OWNED}
      LEFT JOIN LATERAL (
               SELECT id, seq FROM webhook_deliveries
                WHERE webhook_id = webhooks.id AND state = 'waiting' AND seq IS NOT NULL
                ORDER BY id LIMIT 1
           ) AS oldest ON true
     WHERE webhooks.id = ANY($1)
"""


class Sender:
    """Signs and sends messages; the caller must close it."""

    def __init__(
        self, database: Database, vault: Vault, resolve: Resolve = targets.look_up
    ) -> None:
        self._database, self._vault, self._resolve = database, vault, resolve
        self._pool = ConnectionPool()

    def close(self) -> None:
        self._pool.close()

    async def attempt(self, webhook: DeliveryState, letter: WebhookMessage) -> Outcome:
        """Send a message once; any failure is an outcome, not an exception."""
        try:
            target = targets.parse(self._database.settings, webhook.url)
            now = int(time.time())
            headers = signatures.headers(self._secrets(webhook), letter.message, now, letter.body)
        except Problem as problem:
            return Outcome(fault=problem.code)
        with metrics.DELIVERY_SECONDS.time():
            outcome = await self._send(target, headers, letter)
        metrics.DELIVERIES.labels("delivered" if outcome.is_success else "failed").inc()
        return outcome

    async def _send(
        self, target: Target, headers: list[tuple[str, str]], letter: WebhookMessage
    ) -> Outcome:
        if traces.recorder is None:
            return await http_client.send(target, headers, letter.body, self._resolve, self._pool)
        with traces.recorder.delivery(letter.kind) as (span, context):
            headers = [*headers, *context]
            outcome = await http_client.send(
                target, headers, letter.body, self._resolve, self._pool
            )
            span.set_attribute("http.response.status_code", outcome.status or 0)
        return outcome

    def _secrets(self, webhook: DeliveryState) -> Sequence[str]:
        sealed = [webhook.secret, *([webhook.old_secret] if webhook.old_secret else [])]
        return [self._vault.decrypt(f"webhook {webhook.id}", secret) for secret in sealed]

    async def test(self, job: deliveries.Test) -> None:
        """Send a test; if it succeeds, waiting deliveries are retried at once."""
        webhook = await standing.one(self._database.reader, job.webhook)
        if webhook is None:
            return
        body = await deliveries.body(self._database.reader, None, job.delivery, emails=False)
        letter = WebhookMessage(
            message=f"test_{job.delivery}",
            seq=None,
            kind=deliveries.TEST,
            body=body,
            waiting=job.delivery,
        )
        fault = webhook.owner_fault
        outcome = Outcome(fault=fault) if fault else await self.attempt(webhook, letter)
        state = "delivered" if outcome.is_success else "failed"
        end = AttemptResult(webhook=webhook, letter=letter, outcome=outcome)
        await self._database.write(lambda writer: _keep(writer, [(end, state)]))
        if outcome.is_success:
            await self._database.write(lambda writer: _retry_now(writer, webhook.id))


async def _retry_now(writer: Writer, webhook: UUID) -> None:
    """End the pause of a webhook and wake its delivery task."""
    await writer.run("UPDATE webhooks SET retry_at = NULL WHERE id = $1", webhook)
    await writer.run("SELECT pg_notify($1, '')", CHANGED)


@batched_operation
async def record_results(writer: Writer, ends: Sequence[AttemptResult]) -> list[bool | Problem]:
    """
    Record results and the new states of their webhooks (optimistic locking).

    Nothing is written if the webhook's state has changed meanwhile: a webhook has two delivery
    tasks only if one process was frozen, and then the later write is stale.
    """
    rows = await writer.rows(
        MOVE,
        [end.webhook.id for end in ends],
        [end.webhook.position for end in ends],
        [end.webhook.attempts for end in ends],
        [end.position for end in ends],
        [end.attempts for end in ends],
        [end.pause for end in ends],
        [end.off_reason for end in ends],
    )
    moved = {row["id"] for row in rows}
    await _keep(writer, [(end, end.state) for end in ends if end.webhook.id in moved])
    return [end.webhook.id in moved for end in ends]


MOVE: LiteralString = """
    UPDATE webhooks
       SET position = now_at, attempts = made,
           enabled = enabled AND why IS NULL,
           off_reason = coalesce(why, off_reason),
           retry_at = now() + make_interval(secs => pause),
           failing_since = CASE WHEN made = 0 THEN NULL ELSE coalesce(failing_since, now()) END
      FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[], $5::int[], $6::float8[],
                  $7::text[])
           AS ended (webhook_id, was_at, had_made, now_at, made, pause, why)
     WHERE id = webhook_id AND position = was_at AND attempts = had_made
    RETURNING id
"""


async def _keep(writer: Writer, kept: Sequence[tuple[AttemptResult, str]]) -> None:
    """Store deliveries with their states, unless the webhook was removed meanwhile."""
    await writer.run(
        """
        INSERT INTO webhook_deliveries AS old
               (webhook_id, id, message, seq, kind, state, attempts, tried_at, status, answer,
                fault)
        SELECT webhook_id, delivery, message, seq, kind, state, 1, now(), status, answer, fault
          FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[],
                      $7::int[], $8::text[], $9::text[])
               AS kept (webhook_id, delivery, message, seq, kind, state, status, answer, fault)
          JOIN webhooks ON webhooks.id = webhook_id
        ON CONFLICT (webhook_id, id) DO UPDATE
           SET state = excluded.state, attempts = old.attempts + 1, tried_at = now(),
               status = excluded.status, answer = excluded.answer, fault = excluded.fault
        """,
        [end.webhook.id for end, _ in kept],
        [end.letter.waiting or ids.new_id() for end, _ in kept],
        [end.letter.message for end, _ in kept],
        [end.letter.seq for end, _ in kept],
        [end.letter.kind for end, _ in kept],
        [state for _, state in kept],
        [end.outcome.status for end, _ in kept],
        [end.outcome.answer for end, _ in kept],
        [end.outcome.fault for end, _ in kept],
    )


async def give_up(writer: Writer, webhook: UUID, delivery: UUID) -> None:
    """Fail a delivery whose event has expired; the webhook continues with the next."""
    await writer.run(
        """
        UPDATE webhook_deliveries
           SET state = 'failed', tried_at = now(), status = NULL, answer = NULL, fault = $3
         WHERE webhook_id = $1 AND id = $2
        """,
        webhook,
        delivery,
        EXPIRED,
    )


async def skip(writer: Writer, webhook: DeliveryState, position: int) -> None:
    """Advance the webhook past events that do not match it."""
    await writer.run(
        "UPDATE webhooks SET position = $3 WHERE id = $1 AND position = $2",
        webhook.id,
        webhook.position,
        position,
    )
