"""Command endpoints for game servers: fetch commands (long polling), carry them out, answer."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, structs

from gamekeeper.api import long_poll
from gamekeeper.api.callers import Callers
from gamekeeper.api.path_parameters import CommandId, ServerId
from gamekeeper.core.errors import Failure, InvalidBody, Problem
from gamekeeper.core.schemas import Body, Record
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import ALWAYS
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.servers.commands import delivery
from gamekeeper.servers.commands.delivery import (
    Answer,
    AnsweredCommand,
    CommandAnswered,
    FetchedCommands,
)
from gamekeeper.servers.commands.doorbell import Doorbell
from gamekeeper.servers.commands.records import CommandNotFound
from gamekeeper.servers.commands.states import State
from gamekeeper.servers.leases import Fenced, LeaseHolder, ServerNotFound
from gamekeeper.servers.owners import ServerOwned

routes = Routes("/api/v1/servers/{server_id}/commands")

BE = "servers"
KEPT_OUT = (ServerNotFound, Fenced, ServerOwned)

LONGEST_TEXT = 500
MOST_AT_ONCE = 100


class FetchCommands(Body, frozen=True):
    """A game server asks for its commands."""

    fence: int
    """The fencing number that came with the lease."""
    wait: int = 0
    """Wait for a command, for at most this many seconds (0 to 30)."""
    limit: int = MOST_AT_ONCE
    """The page size, 1 to 100; values out of range are clamped."""
    resume: Annotated[list[int], Meta(max_length=16)] | None = None
    """
    The fences of earlier processes of this server whose record of executed ids this one
    continues, at most 16: commands they fetched but never answered are delivered again. JSON
    bodies only.
    """


@routes.post("/fetch", BE, raises=KEPT_OUT, priority=ALWAYS, takes_key=False)
async def fetch_commands(
    database: Database,
    bell: Doorbell,
    callers: Callers,
    request: Request,
    by: AuditContext,
    server_id: ServerId,
    body: FetchCommands,
) -> FetchedCommands:
    """
    The commands for this game server and for the characters on it, oldest first.

    With `wait`, the response waits for a command, for at most this many seconds and at most 30.
    A command is delivered to one server only, and again until it is answered: execute each id
    once. After a restart, `resume` names the fences of the processes whose record of ids this
    one continues; without it their unanswered commands are not delivered again.
    """
    order = delivery.Fetch(
        # Not stored under an idempotency key: what is not answered comes again anyway.
        by=structs.replace(by, key=None),
        holder=LeaseHolder(server_id, body.fence),
        limit=max(1, min(MOST_AT_ONCE, body.limit)),
        resume=body.resume or (),
    )
    fetched = await delivery.fetch.one(database, order)
    if fetched.values or body.wait <= 0:
        return fetched
    still = long_poll.permission(callers, request, BE)
    if await long_poll.wait(
        bell, server_id, body.wait, lambda: delivery.has_due(database.reader, order), still
    ):
        fetched = await delivery.fetch.one(database, order)
    return fetched


class AnswerCommand(Body, frozen=True):
    """The result of a command."""

    fence: int
    """The fencing number that came with the lease."""
    done: bool
    """Whether it was executed."""
    text: str | None = None
    """A text for the sender, at most 500 characters."""


@routes.post(
    "/{command_id}/answer",
    BE,
    raises=(*KEPT_OUT, CommandNotFound, CommandAnswered),
    priority=ALWAYS,
)
async def answer_command(
    database: Database,
    by: AuditContext,
    server_id: ServerId,
    command_id: CommandId,
    body: AnswerCommand,
) -> AnsweredCommand:
    """Report whether a command was executed, or why not; the first answer counts."""
    holder = LeaseHolder(server_id, body.fence)
    order = _answer(by, holder, command_id, done=body.done, text=body.text)
    return await delivery.answer.one(database, order)


class AnswerBody(Body, frozen=True):
    """The result of one command."""

    id: UUID
    """The command's id."""
    done: bool
    """Whether it was executed."""
    text: str | None = None
    """A text for the sender, at most 500 characters."""


class AnswerCommands(Body, frozen=True):
    """The results of many commands."""

    fence: int
    """The fencing number that came with the lease."""
    answers: Annotated[list[AnswerBody], Meta(max_length=MOST_AT_ONCE)]
    """At most 100. JSON bodies only."""


class AnswerOutcome(Record, frozen=True):
    """The outcome of one answer."""

    id: UUID
    state: State | None
    """The command's state; null if the answer was refused."""
    failure: Failure | None
    """Why the answer was refused; null if it was not."""


class AnswerOutcomes(Record, frozen=True):
    """The outcome of each answer, in order."""

    values: list[AnswerOutcome]


@routes.post("/answers", BE, raises=KEPT_OUT, priority=ALWAYS, takes_key=False)
async def answer_commands(
    database: Database, by: AuditContext, server_id: ServerId, body: AnswerCommands
) -> AnswerOutcomes:
    """Answer many commands at once; each answer is independent."""
    holder = LeaseHolder(server_id, body.fence)
    # Not stored under an idempotency key: the same answers again change nothing.
    by = structs.replace(by, key=None)
    orders = [
        _answer(by, holder, answer.id, done=answer.done, text=answer.text)
        for answer in body.answers
    ]
    outcomes = await delivery.answer(database, orders) if orders else []
    return AnswerOutcomes(
        values=[
            _outcome(order.command_id, outcome, by)
            for order, outcome in zip(orders, outcomes, strict=True)
        ]
    )


def _outcome(command: UUID, outcome: AnsweredCommand | Problem, by: AuditContext) -> AnswerOutcome:
    if isinstance(outcome, KEPT_OUT):
        raise outcome  # It is about the server, so all answers were refused.
    if isinstance(outcome, Problem):
        return AnswerOutcome(id=command, state=None, failure=Failure.of(outcome, by.request_id))
    return AnswerOutcome(id=command, state=outcome.state, failure=None)


def _answer(
    by: AuditContext, holder: LeaseHolder, command: UUID, *, done: bool, text: str | None
) -> Answer:
    if text is not None and len(text) > LONGEST_TEXT:
        raise InvalidBody(f"'text' must have at most {LONGEST_TEXT} characters.", field="text")
    return Answer(by=by, holder=holder, command_id=command, done=done, text=text)
