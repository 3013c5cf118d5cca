"""
A game server: registration, heartbeats, and a queue of exactly-once transactions.

Queued transactions are kept until their outcome is known. After any failure they are sent
again with the same idempotency keys, and the service executes each once.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Self, Unpack
from uuid import uuid4

from gamekeeper_client.calls import Id
from gamekeeper_client.clients import AsyncGamekeeper, Gamekeeper
from gamekeeper_client.errors import APIError, Fenced, GamekeeperError
from gamekeeper_client.moves import Appearance, Expected, Move, SheetFields, sheet
from gamekeeper_client.records import (
    EventEntry,
    Failure,
    JoinResult,
    Lease,
    Player,
    PresenceResult,
    TransactionOutcome,
)
from gamekeeper_client.transactions import Transaction

MOST = 100
LARGEST = 900_000
"""The largest body of a call in bytes; the service accepts 1 MiB."""


class Flush:
    """One flush: the transactions to send, in order, and their outcomes."""

    def __init__(self, pending: dict[str, Transaction]) -> None:
        self._pending = pending
        self._todo = list(pending.values())
        self._most = MOST
        self.outcomes: list[TransactionOutcome] = []

    def batch(self) -> list[Transaction]:
        """The transactions of the next call; empty when all were sent."""
        size, number = 0, 0
        for one in self._todo[: self._most]:
            size += len(json.dumps(one, default=str))
            if number and size > LARGEST:
                break
            number += 1
        return self._todo[:number]

    def answered(self, outcomes: Sequence[TransactionOutcome]) -> None:
        """Remove settled transactions; those that failed temporarily stay for the next flush."""
        self._todo = self._todo[len(outcomes) :]
        self._most = MOST
        for outcome in outcomes:
            failure = outcome.failure
            if outcome.status == 503 or (failure and failure.code == "still_running"):
                continue
            self._pending.pop(outcome.key, None)
            self.outcomes.append(outcome)

    def refused(self, batch: list[Transaction], refusal: APIError) -> None:
        """An invalid transaction must not block the others: bisect until it is alone."""
        if refusal.status not in (400, 413):
            raise refusal
        if len(batch) > 1:
            self._most = len(batch) // 2
            return
        failure = Failure(
            Message=refusal.message,
            Code=refusal.code,
            RequestId=refusal.request_id,
            Details=refusal.details,
        )
        outcome = TransactionOutcome(
            Key=batch[0]["key"], Status=refusal.status, Replayed=False, Done=None, Failure=failure
        )
        self.answered([outcome])


class GameServerState:
    """The state of a game server: its lease, when it expires, and the unsent transactions."""

    def __init__(
        self,
        name: str,
        *,
        server_id: Id | None = None,
        pending: Iterable[Transaction] = (),
    ) -> None:
        self.name = name
        self._id = server_id
        self._pending = {one["key"]: one for one in pending}
        self._lease: Lease | None = None
        self._ends = 0.0
        self._lost: Fenced | None = None

    @property
    def pending(self) -> list[Transaction]:
        """Transactions without an outcome. Persist them, and another process can send them."""
        return list(self._pending.values())

    @property
    def lease(self) -> Lease:
        if self._lease is None:
            raise RuntimeError("not registered: use it as a context manager")
        return self._lease

    @property
    def fenced(self) -> bool:
        """Whether this process, as far as it knows, is no longer the game server."""
        return self._lost is not None or (self._lease is not None and time.monotonic() > self._ends)

    def queue(
        self,
        *moves: Move,
        key: str | None = None,
        expected: list[Expected] | None = None,
        reason: str | None = None,
    ) -> str:
        """Queue moves as one atomic transaction for the next flush; return its key."""
        one: Transaction = {"key": key or str(uuid4()), "moves": list(moves)}
        if expected is not None:
            one["expected"] = expected
        if reason is not None:
            one["reason"] = reason
        self._pending[one["key"]] = one
        return one["key"]

    def save(self, player: Id, **fields: Unpack[SheetFields]) -> str:
        """Queue a save of a character's sheet: place, vitals, stats, equipment; return its key."""
        return self.queue(sheet(str(player), **fields))

    def _took(self, lease: Lease, asked: float) -> None:
        """Count the lease from before the request: so it never seems to end later than it does."""
        self._lease, self._ends = lease, asked + lease.lease_seconds

    @contextmanager
    def _acting(self) -> Iterator[tuple[str, int]]:
        """
        The server's id and fence, to act in its name while it holds its lease.

        If the whole server is fenced, it is lost; if a character is, the caller handles it.
        """
        if self._lost is not None:
            raise self._lost
        if self.fenced:
            raise Fenced(409, "fenced", "The lease ran out before it could be renewed.")
        try:
            yield self.lease.id, self.lease.fence
        except Fenced as refusal:
            if not refusal.details:
                self._lost = refusal
            raise


class GameServer(GameServerState):
    """
    A game server with a thread for its heartbeats.

    with GameServer(client, "Realm 1") as server:
        server.join("Ana")
        server.queue(moves.items(POTION, 5, to="Ana"))
        server.flush()
    """

    def __init__(
        self,
        client: Gamekeeper,
        name: str,
        *,
        server_id: Id | None = None,
        pending: Iterable[Transaction] = (),
    ) -> None:
        super().__init__(name, server_id=server_id, pending=pending)
        self._client = client
        self._stopping = threading.Event()
        self._heart: threading.Thread | None = None

    def __enter__(self) -> Self:
        asked = time.monotonic()
        self._took(self._client.servers.register(self.name, id=self._id), asked)
        self._heart = threading.Thread(target=self._beat, name=f"heart of {self.name}", daemon=True)
        self._heart.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Flush, unless an exception was raised, and end the lease and all sessions."""
        try:
            if kind is None:
                self.flush()
        finally:
            self._stopping.set()
            if self._heart is not None:
                self._heart.join(1)
            with suppress(GamekeeperError), self._acting() as held:
                self._client.servers.stop(*held)

    def _beat(self) -> None:
        while not self._stopping.wait(self.lease.heartbeat_seconds) and not self.fenced:
            asked = time.monotonic()
            with suppress(GamekeeperError), self._acting() as held:
                self._took(self._client.servers.heartbeat(*held), asked)

    def create(self, account: Id, name: str, class_id: Id, **begins: Unpack[Appearance]) -> Player:
        """Create a character of level 1 for an account. To play it must join."""
        with self._acting():
            return self._client.users.create_player(account, name, class_id, **begins)

    def delete(self, player: Id, *, reason: str | None = None) -> Player:
        """
        Delete a character, also while it plays here; staff can undo it.

        Flush first: what is still queued for the character would be refused.
        """
        with self._acting() as (server, fence):
            return self._client.players.delete(player, server=server, fence=fence, reason=reason)

    def join(self, *players: Id) -> JoinResult:
        with self._acting() as held:
            return self._client.servers.join(*held, players)

    def leave(self, *players: Id) -> PresenceResult:
        with self._acting() as held:
            return self._client.servers.leave(*held, players)

    def bank(self, *, opened: Sequence[Id] = (), closed: Sequence[Id] = ()) -> PresenceResult:
        with self._acting() as held:
            return self._client.servers.bank(*held, opened=opened, closed=closed)

    def events(self, after: int | str | None) -> Generator[EventEntry]:
        """
        The events on the characters of this server, by any actor, as they happen.

        Get the position first, `events.page("latest").next`, and start there; then let
        characters join, and read them: all later changes arrive as events. An event may
        report a change that was read already.
        """
        return self._client.events.stream(after, server=self.lease.id)

    def flush(self) -> list[TransactionOutcome]:
        """Send the queue; each outcome says whether its transaction was done, or why not."""
        flush = Flush(self._pending)
        while batch := flush.batch():
            try:
                with self._acting() as (server, fence):
                    answer = self._client.transactions.send(batch, server=server, fence=fence)
            except APIError as refusal:
                flush.refused(batch, refusal)
            else:
                flush.answered(answer.entries)
        return flush.outcomes


class AsyncGameServer(GameServerState):
    """Like `GameServer`, with an asyncio task for its heartbeats."""

    def __init__(
        self,
        client: AsyncGamekeeper,
        name: str,
        *,
        server_id: Id | None = None,
        pending: Iterable[Transaction] = (),
    ) -> None:
        super().__init__(name, server_id=server_id, pending=pending)
        self._client = client
        self._heart: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        asked = time.monotonic()
        self._took(await self._client.servers.register(self.name, id=self._id), asked)
        self._heart = asyncio.create_task(self._beat())
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                await self.flush()
        finally:
            if self._heart is not None:
                self._heart.cancel()
                await asyncio.gather(self._heart, return_exceptions=True)
            with suppress(GamekeeperError), self._acting() as held:
                await self._client.servers.stop(*held)

    async def _beat(self) -> None:
        while not self.fenced:
            await asyncio.sleep(self.lease.heartbeat_seconds)
            asked = time.monotonic()
            with suppress(GamekeeperError), self._acting() as held:
                self._took(await self._client.servers.heartbeat(*held), asked)

    async def create(
        self, account: Id, name: str, class_id: Id, **begins: Unpack[Appearance]
    ) -> Player:
        """Create a character of level 1 for an account. To play it must join."""
        with self._acting():
            return await self._client.users.create_player(account, name, class_id, **begins)

    async def delete(self, player: Id, *, reason: str | None = None) -> Player:
        """
        Delete a character, also while it plays here; staff can undo it.

        Flush first: what is still queued for the character would be refused.
        """
        with self._acting() as (server, fence):
            return await self._client.players.delete(
                player, server=server, fence=fence, reason=reason
            )

    async def join(self, *players: Id) -> JoinResult:
        with self._acting() as held:
            return await self._client.servers.join(*held, players)

    async def leave(self, *players: Id) -> PresenceResult:
        with self._acting() as held:
            return await self._client.servers.leave(*held, players)

    async def bank(self, *, opened: Sequence[Id] = (), closed: Sequence[Id] = ()) -> PresenceResult:
        with self._acting() as held:
            return await self._client.servers.bank(*held, opened=opened, closed=closed)

    def events(self, after: int | str | None) -> AsyncGenerator[EventEntry]:
        """As `GameServer.events`."""
        return self._client.events.stream(after, server=self.lease.id)

    async def flush(self) -> list[TransactionOutcome]:
        flush = Flush(self._pending)
        while batch := flush.batch():
            try:
                with self._acting() as (server, fence):
                    answer = await self._client.transactions.send(batch, server=server, fence=fence)
            except APIError as refusal:
                flush.refused(batch, refusal)
            else:
                flush.answered(answer.entries)
        return flush.outcomes
