"""The state of a game server: its lease, its unsent transactions, its commands."""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from typing import Unpack
from uuid import uuid4

from gamekeeper_client.calls import Id
from gamekeeper_client.command_handlers import CommandBook, Handler
from gamekeeper_client.command_journal import CommandJournal
from gamekeeper_client.errors import Fenced
from gamekeeper_client.moves import Expected, Move, SheetFields, sheet
from gamekeeper_client.records import Lease
from gamekeeper_client.transactions import Transaction


class GameServerState:
    """The state of a game server: its lease, when it expires, and the unsent transactions."""

    def __init__(
        self,
        name: str,
        *,
        server_id: Id | None = None,
        pending: Iterable[Transaction] = (),
        commands: Mapping[str, Handler] | None = None,
        journal: str | PathLike[str] | None = None,
    ) -> None:
        self.name = name
        self._handlers = dict(commands or {})
        self._journal_path = journal
        self._id = server_id
        self._pending = {one["key"]: one for one in pending}
        self._lease: Lease | None = None
        self._ends = 0.0
        self._lost: Fenced | None = None
        self._book: CommandBook | None = None

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

    @property
    def _commands(self) -> CommandBook:
        """What to do with commands, and what was done; its journal begins with the lease."""
        if self._book is None:
            self._book = CommandBook(self._handlers, CommandJournal(self._journal_path))
            self._book.journal.registered(self.lease.fence)
        return self._book

    def _close_book(self) -> None:
        if self._book is not None:
            self._book.journal.close()
            self._book = None

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
