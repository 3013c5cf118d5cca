"""
Delivery of commands to game servers: fetched under a fence, answered once (at most once).

A command goes to the server that its character is on when it is fetched, and from then on to
no other. The same process gets it again if it does not answer; another process of the same
server only if it continues the journal of the one that got it, and so knows which ids were
carried out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.servers import leases
from gamekeeper.servers.commands import doorbell, states
from gamekeeper.servers.commands.payloads import CommandKind
from gamekeeper.servers.commands.records import CommandNotFound
from gamekeeper.servers.commands.states import State
from gamekeeper.servers.leases import LeaseHolder

REPEAT_SECONDS = 3.0
"""After so long without an answer, the process that fetched a command gets it again."""
ANSWER_SECONDS = 30.0
"""The shortest time to answer a fetched command; else until it would expire."""
LONGEST_ANSWER_SECONDS = 3600.0
"""The longest time to answer it, however late it would expire."""


class CommandAnswered(Conflict):
    """This command already has a different result. The first one counts."""


class Fetch(Command, frozen=True, kw_only=True):
    """A server asks for its commands."""

    holder: LeaseHolder
    limit: int
    resume: Sequence[int] = ()
    """Fencing numbers of earlier processes whose journal this one continues."""


class Answer(Command, frozen=True, kw_only=True):
    """What became of a command on the server that fetched it."""

    holder: LeaseHolder
    command_id: UUID
    done: bool
    text: str | None = None


class FetchedCommand(Record, frozen=True):
    """A command as the game server gets it."""

    id: UUID
    kind: CommandKind
    player_id: UUID | None
    """The character it is for; null: for the server itself."""
    payload: dict[str, Any]
    """As of `GameCommand`."""
    seconds_left: float
    """The deadline for the answer."""
    again: bool
    """Whether it was delivered before, and may already have been executed."""


class FetchedCommands(Record, frozen=True):
    """Commands to execute, each id once, and answer."""

    values: list[FetchedCommand]


class AnsweredCommand(Record, frozen=True):
    """A command that was answered."""

    id: UUID
    state: State


@operation
async def fetch(writer: Writer, commands: Sequence[Fetch]) -> list[FetchedCommands | Problem]:
    """Deliver the commands for servers and for the characters on them now, oldest first."""
    return [
        await leases.hold(writer, command.holder, command.by) or await _fetch(writer, command)
        for command in commands
    ]


async def _fetch(writer: Writer, command: Fetch) -> FetchedCommands:
    server, fence = command.holder.server_id, command.holder.fence
    due = await writer.rows(DUE, server, fence, list(command.resume), REPEAT_SECONDS, command.limit)
    if not due:
        return FetchedCommands(values=[])
    delivered = await writer.all(
        FetchedCommand,
        DELIVER,
        [row["id"] for row in due],
        server,
        fence,
        ANSWER_SECONDS,
        LONGEST_ANSWER_SECONDS,
    )
    return FetchedCommands(values=sorted(delivered, key=lambda one: one.id))


# For $1 and its fence $2: what waits for it and for those who play on it, and what it has
# not answered. Ids are in the order of time.
DUE: LiteralString = """
    SELECT id FROM commands
     WHERE state = 'waiting' AND server_id = $1 AND expires_at > clock_timestamp()
    UNION ALL
    SELECT id FROM commands
     WHERE state = 'waiting' AND expires_at > clock_timestamp()
       AND player_id IN (SELECT player_id FROM presences WHERE server_id = $1)
    UNION ALL
    SELECT id FROM commands
     WHERE state = 'delivered' AND delivered_to = $1 AND expires_at > clock_timestamp()
       AND (fence = ANY($3::int[])
            OR fence = $2 AND delivered_at < clock_timestamp() - make_interval(secs => $4))
     ORDER BY id
     LIMIT $5
"""

# A row that another transaction holds is being answered, expired, or delivered right now.
DELIVER: LiteralString = """
    WITH due AS (
        SELECT id, state AS before FROM commands
         WHERE id = ANY($1) AND expires_at > clock_timestamp()
           AND (state = 'waiting' OR state = 'delivered' AND delivered_to = $2)
         ORDER BY id
           FOR UPDATE SKIP LOCKED
    )
    UPDATE commands
       SET state = 'delivered', delivered_to = $2, fence = $3, delivered_at = clock_timestamp(),
           expires_at = CASE WHEN before = 'waiting'
                             THEN clock_timestamp() + least(
                                      greatest(expires_at - clock_timestamp(),
                                               make_interval(secs => $4)),
                                      make_interval(secs => $5))
                             ELSE expires_at END
      FROM due
     WHERE commands.id = due.id
    RETURNING commands.id, kind, player_id, payload, before = 'delivered' AS again,
              extract(epoch FROM expires_at - clock_timestamp())::float8 AS seconds_left
"""


async def has_due(reader: Reader, command: Fetch) -> bool:
    """Whether a fetch would find something, or be refused: it need not wait any longer."""
    server, fence = command.holder.server_id, command.holder.fence
    held = await reader.value(
        "SELECT fence = $2 AND lease_until > clock_timestamp() FROM servers WHERE id = $1",
        server,
        fence,
    )
    due = await reader.rows(DUE, server, fence, list(command.resume), REPEAT_SECONDS, 1)
    return bool(due) or not held


class Stored(Struct, frozen=True, kw_only=True):
    """What an answer is compared with."""

    id: UUID
    state: State
    delivered_to: UUID | None
    answer: str | None


@operation
async def answer(writer: Writer, commands: Sequence[Answer]) -> list[AnsweredCommand | Problem]:
    """Store answers; the same answer again changes nothing, another one is refused."""
    refusals = {
        holder: await leases.hold(writer, holder, by)
        for holder, by in {command.holder: command.by for command in commands}.items()
    }
    stored = {
        stored_command.id: stored_command
        for stored_command in await writer.all(Stored, LOCK, _ids(commands))
    }
    outcomes: list[AnsweredCommand | Problem] = []
    fresh: dict[UUID, Stored] = {}
    for command in commands:
        outcome = refusals[command.holder] or _answered(command, stored)
        if isinstance(outcome, Stored):
            stored[outcome.id] = fresh[outcome.id] = outcome
            outcome = AnsweredCommand(id=outcome.id, state=outcome.state)
        outcomes.append(outcome)
    await _save(writer, list(fresh.values()))
    await doorbell.ring(writer, fresh)
    return outcomes


def _ids(commands: Sequence[Answer]) -> list[UUID]:
    return [command.command_id for command in commands]


LOCK: LiteralString = """
    SELECT id, state, delivered_to, answer FROM commands
     WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
"""


def _answered(command: Answer, stored: Mapping[UUID, Stored]) -> Stored | AnsweredCommand | Problem:
    """The row after the answer; if it has that answer already, what was answered."""
    old = stored.get(command.command_id)
    if old is None or old.delivered_to != command.holder.server_id:
        return CommandNotFound("That command was not delivered to that server.")
    verdict = "done" if command.done else "failed"
    if old.state == verdict:
        return AnsweredCommand(id=old.id, state=old.state)
    state = states.following(old.state, verdict)
    if state is None:
        return CommandAnswered(None, state=old.state)
    return Stored(id=old.id, state=state, delivered_to=old.delivered_to, answer=command.text)


async def _save(writer: Writer, answered: Sequence[Stored]) -> None:
    if not answered:
        return
    await writer.run(
        """
        UPDATE commands
           SET state = given.state, answer = given.answer, answered_at = clock_timestamp()
          FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (id, state, answer)
         WHERE commands.id = given.id
        """,
        [stored_command.id for stored_command in answered],
        [stored_command.state for stored_command in answered],
        [stored_command.answer for stored_command in answered],
    )
