"""
A game server: registration, heartbeats, commands, and a queue of exactly-once transactions.

Queued transactions are kept until their outcome is known. After any failure they are sent
again with the same idempotency keys, and the service executes each once.
"""

import asyncio
import threading
import time
from collections.abc import (
    AsyncGenerator,
    Callable,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import suppress
from functools import partial
from os import PathLike
from typing import Self, TypeVar, Unpack

from gamekeeper_client.calls import Id
from gamekeeper_client.clients import AsyncGamekeeper, Gamekeeper
from gamekeeper_client.command_handlers import Handler, obey, obey_async
from gamekeeper_client.errors import APIError, GamekeeperError
from gamekeeper_client.game_server_state import GameServerState
from gamekeeper_client.logs import SaidMessage
from gamekeeper_client.moves import Appearance
from gamekeeper_client.records import (
    EventEntry,
    JoinResult,
    Player,
    PresenceResult,
    StoredMessages,
    TransactionOutcome,
)
from gamekeeper_client.transaction_queue import Flush
from gamekeeper_client.transactions import Transaction

H = TypeVar("H", bound=Handler)


class GameServer(GameServerState):
    """
    A game server with a thread for its heartbeats.

    with GameServer(client, "Realm 1") as server:
        server.on_command("kick")(lambda command: disconnect(command.player_id))
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
        commands: Mapping[str, Handler] | None = None,
        journal: str | PathLike[str] | None = None,
    ) -> None:
        super().__init__(
            name, server_id=server_id, pending=pending, commands=commands, journal=journal
        )
        self._client = client
        self._stopping = threading.Event()
        self._heart: threading.Thread | None = None
        self._obeying: threading.Thread | None = None

    def __enter__(self) -> Self:
        asked = time.monotonic()
        self._took(self._client.servers.register(self.name, id=self._id), asked)
        self._heart = threading.Thread(target=self._beat, name=f"heart of {self.name}", daemon=True)
        self._heart.start()
        if self._handlers:
            self._start_obeying()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Flush, unless an exception was raised, and end the lease and all sessions."""
        try:
            if kind is None:
                self.flush()
        finally:
            self._stopping.set()
            for thread in (self._heart, self._obeying):
                if thread is not None:
                    thread.join(1)
            with suppress(GamekeeperError), self._acting() as held:
                self._client.servers.stop(*held)
            self._close_book()

    def _beat(self) -> None:
        while not self._stopping.wait(self.lease.heartbeat_seconds) and not self.fenced:
            asked = time.monotonic()
            with suppress(GamekeeperError), self._acting() as held:
                self._took(self._client.servers.heartbeat(*held), asked)

    def on_command(self, kind: str) -> Callable[[H], H]:
        """
        Register a handler of commands of a kind; it may return a text for who sent it.

        Handlers run one after the other in a thread of their own. What one raises is answered
        as failed: `CommandFailed` with its text. A command without a handler fails too.
        """

        def register(handler: H) -> H:
            self._handlers[kind] = handler
            if self._lease is not None and self._obeying is None:
                self._start_obeying()
            return handler

        return register

    def _start_obeying(self) -> None:
        run = partial(obey, self._client, self._acting, self._commands, self._stopping)
        self._obeying = threading.Thread(target=run, name=f"ear of {self.name}", daemon=True)
        self._obeying.start()

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

    def join(self, *players: Id, clients: Sequence[Mapping[str, str]] | None = None) -> JoinResult:
        """
        Let characters join.

        `clients` says where they play from, for access bans and linked accounts: each with
        `player`, `address` and `deviceid`.
        """
        with self._acting() as held:
            return self._client.servers.join(*held, players, clients=clients)

    def leave(self, *players: Id) -> PresenceResult:
        with self._acting() as held:
            return self._client.servers.leave(*held, players)

    def bank(self, *, opened: Sequence[Id] = (), closed: Sequence[Id] = ()) -> PresenceResult:
        with self._acting() as held:
            return self._client.servers.bank(*held, opened=opened, closed=closed)

    def report_chat(self, *messages: SaidMessage) -> StoredMessages:
        """Report what was said, at most 500 messages; each is stored once by its id."""
        with self._acting() as held:
            return self._client.logs.report_chat(*held, messages)

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
        commands: Mapping[str, Handler] | None = None,
        journal: str | PathLike[str] | None = None,
    ) -> None:
        super().__init__(
            name, server_id=server_id, pending=pending, commands=commands, journal=journal
        )
        self._client = client
        self._heart: asyncio.Task[None] | None = None
        self._obeying: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        asked = time.monotonic()
        self._took(await self._client.servers.register(self.name, id=self._id), asked)
        self._heart = asyncio.create_task(self._beat())
        if self._handlers:
            self._start_obeying()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                await self.flush()
        finally:
            background = [task for task in (self._heart, self._obeying) if task is not None]
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            with suppress(GamekeeperError), self._acting() as held:
                await self._client.servers.stop(*held)
            self._close_book()

    async def _beat(self) -> None:
        while not self.fenced:
            await asyncio.sleep(self.lease.heartbeat_seconds)
            asked = time.monotonic()
            with suppress(GamekeeperError), self._acting() as held:
                self._took(await self._client.servers.heartbeat(*held), asked)

    def on_command(self, kind: str) -> Callable[[H], H]:
        """As `GameServer.on_command`, in a task; a handler may be a coroutine function."""

        def register(handler: H) -> H:
            self._handlers[kind] = handler
            if self._lease is not None and self._obeying is None:
                self._start_obeying()
            return handler

        return register

    def _start_obeying(self) -> None:
        work = obey_async(self._client, self._acting, self._commands)
        self._obeying = asyncio.create_task(work)

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

    async def join(
        self, *players: Id, clients: Sequence[Mapping[str, str]] | None = None
    ) -> JoinResult:
        """As `GameServer.join`."""
        with self._acting() as held:
            return await self._client.servers.join(*held, players, clients=clients)

    async def leave(self, *players: Id) -> PresenceResult:
        with self._acting() as held:
            return await self._client.servers.leave(*held, players)

    async def bank(self, *, opened: Sequence[Id] = (), closed: Sequence[Id] = ()) -> PresenceResult:
        with self._acting() as held:
            return await self._client.servers.bank(*held, opened=opened, closed=closed)

    async def report_chat(self, *messages: SaidMessage) -> StoredMessages:
        """As `GameServer.report_chat`."""
        with self._acting() as held:
            return await self._client.logs.report_chat(*held, messages)

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
