"""One attempt at one message, and what is written down about it."""

import time
from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

import structlog
from msgspec import Struct

from gamekeeper import ids
from gamekeeper.database import Database, Reader, Writer
from gamekeeper.errors import Problem
from gamekeeper.users.vault import Vault
from gamekeeper.webhooks import deliveries, sending, signing, targets
from gamekeeper.webhooks.sending import GONE, Outcome
from gamekeeper.webhooks.targets import Resolve

PAUSES = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
"""Seconds before the second attempt, the third and so on, as Standard Webhooks has them."""

log = structlog.get_logger()


class Standing(Struct, frozen=True, kw_only=True):
    """A webhook as its courier finds it, with the oldest delivery that waits."""

    id: UUID
    url: str
    kinds: list[str] | None
    emails: bool
    secret: str
    old_secret: str | None
    enabled: bool
    position: int
    attempts: int
    pause: float
    """Seconds until it may be tried again."""
    waiting: UUID | None
    waiting_seq: int | None


class Letter(Struct, frozen=True, kw_only=True):
    """A message to be sent: of an event met just now, or of a delivery that waits."""

    message: str
    seq: int | None
    kind: str
    body: bytes
    waiting: UUID | None = None


async def standing(reader: Reader, webhook: UUID) -> Standing | None:
    return await reader.one(Standing, STANDING, webhook)


STANDING: LiteralString = """
    SELECT webhooks.id, url, kinds, emails, secret,
           CASE WHEN old_until > now() THEN old_secret END AS old_secret,
           enabled, position, attempts,
           coalesce(extract(epoch FROM retry_at - now()), 0)::float AS pause,
           oldest.id AS waiting, oldest.seq AS waiting_seq
      FROM webhooks
      LEFT JOIN LATERAL (
               SELECT id, seq FROM webhook_deliveries
                WHERE webhook_id = webhooks.id AND state = 'waiting' AND seq IS NOT NULL
                ORDER BY id LIMIT 1
           ) AS oldest ON true
     WHERE webhooks.id = $1
"""


class Post:
    """Sends letters, signed."""

    def __init__(
        self, database: Database, vault: Vault, resolve: Resolve = targets.look_up
    ) -> None:
        self._database, self._vault, self._resolve = database, vault, resolve

    async def attempt(self, webhook: Standing, letter: Letter) -> Outcome:
        """Send it, once; whatever goes wrong is an outcome."""
        try:
            target = targets.parse(self._database.settings, webhook.url)
            now = int(time.time())
            headers = signing.headers(self._secrets(webhook), letter.message, now, letter.body)
        except Problem as problem:
            return Outcome(fault=problem.code)
        return await sending.send(target, headers, letter.body, self._resolve)

    def _secrets(self, webhook: Standing) -> Sequence[str]:
        sealed = [webhook.secret, *([webhook.old_secret] if webhook.old_secret else [])]
        return [self._vault.take(f"webhook {webhook.id}", one) for one in sealed]

    async def test(self, job: deliveries.Test) -> None:
        """Send a test; if it arrives, what waits need not wait any longer."""
        webhook = await standing(self._database.reader, job.webhook)
        if webhook is None:
            return
        body = await deliveries.body(self._database.reader, None, job.delivery, emails=False)
        letter = Letter(
            message=f"test_{job.delivery}",
            seq=None,
            kind=deliveries.TEST,
            body=body,
            waiting=job.delivery,
        )
        outcome = await self.attempt(webhook, letter)
        state = "delivered" if outcome.is_success else "failed"
        await self._database.write(lambda writer: _keep(writer, webhook, letter, outcome, state))
        if outcome.is_success:
            await self._database.write(
                lambda writer: writer.run(
                    "WITH told AS (SELECT pg_notify('gamekeeper_webhooks', ''))"
                    " UPDATE webhooks SET retry_at = NULL FROM told WHERE id = $1",
                    webhook.id,
                )
            )


async def settle(writer: Writer, webhook: Standing, letter: Letter, outcome: Outcome) -> None:
    """
    Write down what came of a letter, and where the webhook stands now.

    Nothing is written if somebody else has got on with it meanwhile: of two couriers of
    one webhook, which there are only if one was frozen, the later one is the liar.
    """
    attempts = webhook.attempts + 1
    given_up = outcome.status == GONE or attempts > len(PAUSES)
    ok = outcome.is_success
    position = letter.seq if letter.waiting is None else webhook.position
    moved = await writer.run(
        """
        UPDATE webhooks
           SET position = $4, attempts = $5,
               enabled = enabled AND NOT $7,
               off_reason = CASE WHEN $7 THEN $8 ELSE off_reason END,
               retry_at = CASE WHEN $6::int IS NULL THEN NULL
                               ELSE now() + make_interval(secs => $6) END,
               failing_since = CASE WHEN $5 = 0 THEN NULL ELSE coalesce(failing_since, now()) END
         WHERE id = $1 AND position = $2 AND attempts = $3
        """,
        webhook.id,
        webhook.position,
        webhook.attempts,
        position,
        0 if ok or given_up else attempts,
        None if ok or given_up else PAUSES[attempts - 1],
        given_up and not ok,
        f"given up after {attempts} attempts" if outcome.status != GONE else "answered 410",
    )
    if moved:
        state = "delivered" if ok else "failed" if given_up else "waiting"
        await _keep(writer, webhook, letter, outcome, state)
        if given_up and not ok:
            log.error("webhook switched off", webhook=str(webhook.id), fault=_why(outcome))
        elif not ok:
            log.warning("webhook delayed", webhook=str(webhook.id), fault=_why(outcome))


def _why(outcome: Outcome) -> str:
    return outcome.fault or f"answered {outcome.status}"


async def _keep(
    writer: Writer, webhook: Standing, letter: Letter, outcome: Outcome, state: str
) -> None:
    await writer.run(
        """
        INSERT INTO webhook_deliveries AS old
               (webhook_id, id, message, seq, kind, state, attempts, tried_at, status, answer,
                fault)
        SELECT $1, $2, $3, $4, $5, $6, 1, now(), $7, $8, $9
         WHERE EXISTS (SELECT FROM webhooks WHERE id = $1)
        ON CONFLICT (webhook_id, id) DO UPDATE
           SET state = $6, attempts = old.attempts + 1, tried_at = now(), status = $7,
               answer = $8, fault = $9
        """,
        webhook.id,
        letter.waiting or ids.fresh(),
        letter.message,
        letter.seq,
        letter.kind,
        state,
        outcome.status,
        outcome.answer,
        outcome.fault,
    )


async def skip(writer: Writer, webhook: Standing, position: int) -> None:
    """Remember that nothing up to there concerns the webhook."""
    await writer.run(
        "UPDATE webhooks SET position = $3 WHERE id = $1 AND position = $2",
        webhook.id,
        webhook.position,
        position,
    )
