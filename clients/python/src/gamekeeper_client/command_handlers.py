"""
Command handlers: fetches commands (long polling), carries each out once, and answers.

What to do with a delivery is decided by `Round`, without I/O, for both clients.
"""

import asyncio
import inspect
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from gamekeeper_client.clients import AsyncGamekeeper, Gamekeeper
from gamekeeper_client.command_journal import CommandJournal, Outcome
from gamekeeper_client.commands import CommandAnswer
from gamekeeper_client.errors import Fenced, GamekeeperError
from gamekeeper_client.records import FetchedCommand

WAIT_SECONDS = 20
PATIENCE_SECONDS = 10
"""How much longer than it waits a fetch may take."""
RETRY_SECONDS = 1.0
LONGEST_TEXT = 500

Handler = Callable[[FetchedCommand], Any]
"""Carries out a command; a text that it returns is for who sent the command."""
Acting = Callable[[], AbstractContextManager[tuple[str, int]]]

log = logging.getLogger("gamekeeper_client")


class CommandFailed(Exception):
    """Raised by a handler: the command was not carried out, and why."""


class CommandBook:
    """The handlers of a game server, and its journal."""

    def __init__(self, handlers: Mapping[str, Handler], journal: CommandJournal) -> None:
        self._handlers = handlers
        self.journal = journal

    @property
    def resume(self) -> list[int]:
        """The processes before this one, whose journal it continues."""
        return self.journal.fences[:-1]

    def handler(self, command: FetchedCommand) -> Handler:
        found = self._handlers.get(command.kind)
        if found is None:
            raise CommandFailed(f"This server does not know '{command.kind}'.")
        return found


class Round:
    """Commands as they were fetched: what to carry out, and what to answer."""

    def __init__(self, book: CommandBook, fetched: Sequence[FetchedCommand]) -> None:
        self._journal = book.journal
        self._fetched = fetched
        self._received = time.monotonic()
        self.answers: list[CommandAnswer] = []

    def begin(self, command: FetchedCommand) -> bool:
        """Whether to carry it out now; if that began before, its outcome is answered again."""
        if self._journal.begin(command.id):
            if time.monotonic() - self._received < command.seconds_left:
                return True
            self.finish(command, Outcome(done=False, text="Too late."))
        elif (outcome := self._journal.outcome(command.id)) is not None:
            self._answer(command, outcome)
        return False

    def finish(self, command: FetchedCommand, outcome: Outcome) -> None:
        self._journal.finish(command.id, outcome)
        self._answer(command, outcome)

    def _answer(self, command: FetchedCommand, outcome: Outcome) -> None:
        self.answers.append({"id": command.id, "done": outcome.done, "text": outcome.text})


def obey(client: Gamekeeper, acting: Acting, book: CommandBook, stopping: threading.Event) -> None:
    """Carry out commands until the server stops or is replaced."""
    patient = client.with_options(timeout=WAIT_SECONDS + PATIENCE_SECONDS)
    while not stopping.is_set():
        try:
            with acting() as held:
                fetched = patient.commands.fetch(*held, wait=WAIT_SECONDS, resume=book.resume)
            if stopping.is_set():
                return
            current = Round(book, fetched.entries)
            for command in fetched.entries:
                if current.begin(command):
                    current.finish(command, carried_out(book, command))
            if current.answers:
                with acting() as held:
                    patient.commands.answer_many(*held, current.answers)
        except Fenced:
            return
        except GamekeeperError as fault:
            # What was not answered comes again.
            log.warning("commands: %s", fault)
            stopping.wait(RETRY_SECONDS)
        except Exception:
            # The client may be closed while this thread still waits; or the journal's disk is full.
            if stopping.is_set():
                return
            log.exception("commands")
            stopping.wait(RETRY_SECONDS)


async def obey_async(client: AsyncGamekeeper, acting: Acting, book: CommandBook) -> None:
    """Carry out commands until cancelled, or the server is replaced."""
    patient = client.with_options(timeout=WAIT_SECONDS + PATIENCE_SECONDS)
    while True:
        try:
            with acting() as held:
                fetched = await patient.commands.fetch(*held, wait=WAIT_SECONDS, resume=book.resume)
            current = Round(book, fetched.entries)
            for command in fetched.entries:
                if current.begin(command):
                    current.finish(command, await carried_out_async(book, command))
            if current.answers:
                with acting() as held:
                    await patient.commands.answer_many(*held, current.answers)
        except Fenced:
            return
        except GamekeeperError as fault:
            log.warning("commands: %s", fault)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            log.exception("commands")
            await asyncio.sleep(RETRY_SECONDS)


def carried_out(book: CommandBook, command: FetchedCommand) -> Outcome:
    try:
        return _done(book.handler(command)(command))
    except Exception as fault:
        return _failed(command, fault)


async def carried_out_async(book: CommandBook, command: FetchedCommand) -> Outcome:
    try:
        result = book.handler(command)(command)
        return _done(await result if inspect.isawaitable(result) else result)
    except Exception as fault:
        return _failed(command, fault)


def _done(result: object) -> Outcome:
    return Outcome(done=True, text=result[:LONGEST_TEXT] if isinstance(result, str) else None)


def _failed(command: FetchedCommand, fault: Exception) -> Outcome:
    """A fault of the game is logged, and not told to who sent the command."""
    if isinstance(fault, CommandFailed):
        return Outcome(done=False, text=str(fault)[:LONGEST_TEXT])
    log.error("the handler of %s failed", command.kind, exc_info=fault)
    return Outcome(done=False, text=f"The game failed: {type(fault).__name__}.")
