"""
Webhook dispatcher: one delivery task per webhook, so that a slow target delays no other.

A task reads the event log from its webhook's position and sends one message at a time, so
each target receives events in order. After a failure the task retries the same message with
backoff; later events wait in the log, so none is lost. Of several workers one runs the tasks
(leader election); another takes over within a few seconds after it ends.
"""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import LiteralString
from uuid import UUID

import asyncpg
import structlog
from msgspec import structs

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.db import leader
from gamekeeper.db.database import Database
from gamekeeper.db.leader import Duty
from gamekeeper.events.feed import Feed
from gamekeeper.events.records import EventFilter
from gamekeeper.events.webhooks import attempts, deliveries
from gamekeeper.events.webhooks.attempts import AttemptResult, DeliveryState, Sender, WebhookMessage
from gamekeeper.events.webhooks.deliveries import DeliveryNotFound
from gamekeeper.events.webhooks.management import CHANGED
from gamekeeper.events.webhooks.owners import FAULT, OWNED

DUTY = Duty(name="webhooks", lock=0x686F6F6B)  # "hook"
PAUSE_SECONDS = 1
LOOK_SECONDS = 5
FRESH_SECONDS = 1
"""How long the state read of a webhook and its owner counts as current."""
MAX_UNSAVED_EVENTS = 1000
"""Skipped events after which the webhook's position is saved."""

ENABLED: LiteralString = f"SELECT webhooks.id FROM {OWNED} WHERE enabled AND {FAULT} IS NULL"

log = structlog.get_logger()


class Dispatcher:
    def __init__(self, database: Database, post: Sender) -> None:
        self._database, self._post = database, post
        self._feed = Feed(database, sequencing=False)
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._changed: dict[UUID, asyncio.Event] = {}
        self._any_changed = asyncio.Event()
        self._searched: dict[UUID, int] = {}

    async def follow(self, stop: asyncio.Event) -> None:
        """Run the delivery tasks until `stop`, while this process is the leader."""
        settings = self._database.settings
        await leader.lead(settings, DUTY, lambda connection: self._lead(connection, stop), stop)
        self._post.close()
        await self._feed.close()

    @property
    def behind(self) -> int:
        """How many events the slowest webhook has still to be told of, or to skip."""
        return max(map(self._feed.events_after, self._searched.values()), default=0)

    async def _lead(self, connection: asyncpg.Connection, stop: asyncio.Event) -> None:
        try:
            await connection.add_listener(CHANGED, lambda *_: self._any_changed.set())
            with self._feed.listening():
                while not stop.is_set():
                    await self._call_up(connection)
                    await self._until_changed(stop)
        finally:
            await self._dismiss()

    async def _call_up(self, connection: asyncpg.Connection) -> None:
        """Start a task for each enabled webhook without one; wake the others to reread state."""
        self._any_changed.clear()
        rows = await connection.fetch(ENABLED)
        for event in self._changed.values():
            event.set()
        for webhook in [row["id"] for row in rows]:
            task = self._tasks.get(webhook)
            if task is None or task.done():
                self._changed[webhook] = asyncio.Event()
                self._tasks[webhook] = asyncio.create_task(self._at_work(webhook))

    async def _until_changed(self, stop: asyncio.Event) -> None:
        waits = [asyncio.create_task(self._any_changed.wait()), asyncio.create_task(stop.wait())]
        await asyncio.wait(waits, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def _dismiss(self) -> None:
        await tasks.end(self._tasks.values())
        self._tasks.clear()
        self._changed.clear()
        self._searched.clear()

    # ── One delivery task ──

    async def _at_work(self, webhook: UUID) -> None:
        while True:
            try:
                await self._serve(webhook)
            except Unavailable:
                # Every attempt so far is recorded, so it resumes where it was.
                await asyncio.sleep(PAUSE_SECONDS)
            except Exception:
                # `_call_up` restarts the task at its next run.
                log.exception("webhook_dispatch_failed", webhook=str(webhook))
                return
            else:
                # It was switched off or removed: nobody waits for what it would get.
                self._searched.pop(webhook, None)
                return

    async def _serve(self, webhook: UUID) -> None:
        passed = 0
        reader = self._database.reader
        while (found := await attempts.standing.one(reader, webhook)) and found.enabled:
            if found.owner_fault:
                log.warning("webhook_owner_gone", webhook=str(webhook), reason=found.owner_fault)
                return
            self._searched[webhook] = max(passed, found.position)
            if found.pause > 0:
                await self._rest(webhook, found.pause)
                continue
            asked = monotonic()
            letter, passed = await self._next(found, max(passed, found.position))
            if letter is None and passed - found.position >= MAX_UNSAVED_EVENTS:
                await self._passed_by(found, passed)
            elif letter is None:
                self._searched[webhook] = passed
                await self._wait(webhook)
            elif monotonic() - asked < FRESH_SECONDS or await self._is_still(found):
                outcome = await self._post.attempt(found, letter)
                await self._written(AttemptResult(webhook=found, letter=letter, outcome=outcome))

    async def _is_still(self, found: DeliveryState) -> bool:
        """Whether the state is unchanged since the search began: a key may have been revoked."""
        now = await attempts.standing.one(self._database.reader, found.id)
        return now is not None and structs.replace(now, pause=found.pause) == found

    async def _wait(self, webhook: UUID) -> None:
        """Wait for new events or a change of the webhook: the feed does not report replays."""
        waits = [
            asyncio.ensure_future(self._feed.moved(LOOK_SECONDS)),
            asyncio.ensure_future(self._changed[webhook].wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        self._changed[webhook].clear()

    async def _passed_by(self, found: DeliveryState, position: int) -> None:
        await self._database.write(lambda writer: attempts.skip(writer, found, position))

    async def _written(self, end: AttemptResult) -> None:
        """Record the result, with retries: to send the next message first would break the order."""
        while True:
            try:
                if await attempts.record_results.one(self._database, end):
                    end.log_failure()
            except Unavailable:
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                return

    async def _rest(self, webhook: UUID, seconds: float) -> None:
        """Wait until the next attempt is due or the webhook is changed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed[webhook].wait(), min(seconds, 60) + 0.01)
        self._changed[webhook].clear()

    async def _next(self, found: DeliveryState, after: int) -> tuple[WebhookMessage | None, int]:
        """The next message, and the position up to which the log was searched."""
        if found.waiting and found.waiting_seq is not None:
            return await self._again(found, found.waiting, found.waiting_seq), after
        kinds = None if found.kinds is None else frozenset(found.kinds)
        wanted = EventFilter(kinds=kinds)
        while events := await self._feed.after(after):
            for event in events:
                after = event.seq
                if wanted.includes(event):
                    body = deliveries.payload(event, emails=found.emails)
                    message = deliveries.message_id(event.seq)
                    kind = event.entry.kind
                    letter = WebhookMessage(message=message, seq=event.seq, kind=kind, body=body)
                    return letter, after - 1
            after = await self._feed.skip(after, wanted)
            await asyncio.sleep(0)
        return None, after

    async def _again(self, found: DeliveryState, waiting: UUID, seq: int) -> WebhookMessage | None:
        """The message of a waiting delivery; None if its event is no longer in the log."""
        reader = self._database.reader
        try:
            body = await deliveries.body(reader, seq, waiting, emails=found.emails)
        except DeliveryNotFound:
            await self._database.write(lambda writer: attempts.give_up(writer, found.id, waiting))
            log.warning("webhook_event_expired", webhook=str(found.id), seq=seq)
            self._changed[found.id].set()
            return None
        message = deliveries.message_id(seq)
        return WebhookMessage(message=message, seq=seq, kind="", body=body, waiting=waiting)
