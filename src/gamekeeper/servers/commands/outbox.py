"""
Send: commands to a character, wherever it plays, or to a game server (outbox).

A command is a row, written with its action in one transaction; NOTIFY wakes the server that
waits for it when that transaction commits. If nobody can get it now, it has expired when it
is sent, unless it is kept for the next join.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import lookup
from gamekeeper.servers import leases
from gamekeeper.servers.commands import doorbell, payloads, records
from gamekeeper.servers.commands.payloads import CommandKind, InvalidCommand
from gamekeeper.servers.commands.records import GameCommand
from gamekeeper.servers.commands.states import State
from gamekeeper.users import ranks
from gamekeeper.users.ranks import Management

When = Literal["now", "next_join"]

SECONDS: Mapping[When, tuple[int, int]] = {
    "now": (30, 3600),
    "next_join": (7 * 86_400, 30 * 86_400),
}
"""For how long a command waits to be fetched: by default, and at most."""

MOST_WAITING = 100
"""Commands that wait for one target; about, because those sent at once do not see each other."""

HARMLESS: frozenset[CommandKind] = frozenset({"message"})
"""Kinds that may be sent to characters of accounts that hold more than the sender."""


class TooManyCommands(Conflict):
    """A hundred commands are queued for this target. Retry when some are fetched or expire."""

    cacheable = False


class NewCommand(Command, frozen=True, kw_only=True):
    """A command to a character, by name or id, or to a server."""

    kind: CommandKind
    player: str | None = None
    server_id: UUID | None = None
    payload: Mapping[str, Any] = {}
    """With the fields that `payloads.FIELDS` names; of a custom command any JSON object."""
    when: When = "now"
    seconds: int | None = None
    """For how long it waits to be fetched; None: the default of `SECONDS`."""
    caller: Principal | None = None
    """The caller whose rank counts; None: the command line, or an operation that has checked it."""


class Recipient(Struct, frozen=True, kw_only=True):
    """A character or a server, and the live server that can fetch the command now, if any."""

    player_id: UUID | None = None
    user_id: UUID | None = None
    server_id: UUID | None = None
    reached_by: UUID | None = None

    @property
    def id(self) -> UUID | None:
        return self.player_id or self.server_id


class SentCommand(Struct, frozen=True, kw_only=True):
    """A command as it is stored."""

    id: UUID
    order: NewCommand
    to: Recipient
    payload: dict[str, Any]

    @property
    def state(self) -> State:
        kept = self.order.when == "next_join"
        return "waiting" if kept or self.to.reached_by else "expired"

    @property
    def answer(self) -> str | None:
        if self.state == "waiting":
            return None
        return "Not online." if self.to.player_id else "The server was down."

    @property
    def seconds(self) -> int:
        default, _ = SECONDS[self.order.when]
        return 0 if self.state == "expired" else self.order.seconds or default


@operation
async def send(writer: Writer, commands: Sequence[NewCommand]) -> list[GameCommand | Problem]:
    """Send commands; one that nobody can get now is answered as `expired`, not refused."""
    recipients = await _recipients(writer, commands)
    refusals = await _outranked(writer, commands, recipients)
    waiting = await _waiting(writer, recipients)
    outcomes: list[SentCommand | Problem] = []
    for command, to, refusal in zip(commands, recipients, refusals, strict=True):
        outcome = refusal or _checked(command, to, waiting)
        outcomes.append(outcome)
        if isinstance(outcome, SentCommand) and outcome.state == "waiting":
            waiting[outcome.to.id] += 1
    sent = [outcome for outcome in outcomes if isinstance(outcome, SentCommand)]
    await _insert(writer, sent)
    await actions.record(writer, [_action(command) for command in sent])
    await doorbell.ring(
        writer, {command.to.reached_by for command in sent if command.to.reached_by}
    )
    shown = await records.by_ids(writer, [command.id for command in sent])
    return [
        shown[outcome.id] if isinstance(outcome, SentCommand) else outcome for outcome in outcomes
    ]


def _checked(
    command: NewCommand, to: Recipient | Problem, waiting: Counter[UUID | None]
) -> SentCommand | Problem:
    if isinstance(to, Problem):
        return to
    _, most = SECONDS[command.when]
    if command.seconds is not None and not 1 <= command.seconds <= most:
        return InvalidCommand(f"'seconds' must be a number from 1 to {most}.", field="seconds")
    if command.when == "next_join" and to.player_id is None:
        return InvalidCommand("'next_join' needs a character, not a server.", field="when")
    if waiting[to.id] >= MOST_WAITING:
        return TooManyCommands()
    try:
        payload = payloads.checked(command.kind, command.payload)
    except InvalidCommand as wrong:
        return wrong
    return SentCommand(id=ids.new_id(), order=command, to=to, payload=payload)


async def _recipients(writer: Writer, commands: Sequence[NewCommand]) -> list[Recipient | Problem]:
    keys = [command.player for command in commands if command.player is not None]
    found = dict(zip(keys, await lookup.find_player_ids(writer, keys), strict=True))
    players = {
        row["id"]: row
        for row in await writer.rows(PLAYERS, [player for player in found.values() if player])
    }
    wanted = [command.server_id for command in commands if command.server_id]
    wanted += [row["server_id"] for row in players.values() if row["server_id"]]
    alive = {row["id"]: row["alive"] for row in await writer.rows(ALIVE, wanted)}

    def recipient(command: NewCommand) -> Recipient | Problem:
        if command.player is None:
            assert command.server_id is not None
            server = command.server_id
            if server not in alive:
                return leases.unknown(server)
            return Recipient(server_id=server, reached_by=server if alive[server] else None)
        player = players.get(found[command.player])
        if player is None:
            return lookup.unknown(command.player)
        server = player["server_id"]
        return Recipient(
            player_id=player["id"],
            user_id=player["user_id"],
            reached_by=server if alive.get(server) else None,
        )

    return [recipient(command) for command in commands]


# Not locked: who joins or leaves at the same time does so before or after.
PLAYERS: LiteralString = """
    SELECT players.id, user_id, server_id
      FROM players LEFT JOIN presences ON presences.player_id = players.id
     WHERE players.id = ANY($1)
"""
ALIVE: LiteralString = """
    SELECT id, lease_until > clock_timestamp() AS alive FROM servers WHERE id = ANY($1)
"""


async def _outranked(
    writer: Writer, commands: Sequence[NewCommand], recipients: Sequence[Recipient | Problem]
) -> list[Problem | None]:
    """Refuse commands against characters of accounts that hold more than the sender."""
    wanted = [
        Management(
            None if command.kind in HARMLESS else command.caller,
            to.user_id if isinstance(to, Recipient) else None,
        )
        for command, to in zip(commands, recipients, strict=True)
    ]
    return list(await ranks.refusals(writer, wanted))


async def _waiting(
    writer: Writer, recipients: Sequence[Recipient | Problem]
) -> Counter[UUID | None]:
    """How many commands wait for each of the recipients."""
    known = [to for to in recipients if isinstance(to, Recipient)]
    rows = await writer.rows(
        """
        SELECT player_id AS target, count(*) FROM commands
         WHERE state = 'waiting' AND expires_at > statement_timestamp() AND player_id = ANY($1)
         GROUP BY player_id
        UNION ALL
        SELECT server_id, count(*) FROM commands
         WHERE state = 'waiting' AND expires_at > statement_timestamp() AND server_id = ANY($2)
         GROUP BY server_id
        """,
        [to.player_id for to in known if to.player_id],
        [to.server_id for to in known if to.server_id],
    )
    return Counter({row["target"]: row["count"] for row in rows})


async def _insert(writer: Writer, sent: Sequence[SentCommand]) -> None:
    if not sent:
        return
    await writer.run(
        """
        INSERT INTO commands (id, kind, player_id, server_id, payload, state, reason, sent_by,
                              sent_by_name, answer, created_at, expires_at)
        SELECT id, kind, player_id, server_id, payload::jsonb, state, reason, sent_by,
               sent_by_name, answer, clock_timestamp(),
               clock_timestamp() + make_interval(secs => seconds)
          FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[],
                      $7::text[], $8::text[], $9::text[], $10::text[], $11::int[])
               AS new (id, kind, player_id, server_id, payload, state, reason, sent_by,
                       sent_by_name, answer, seconds)
        """,
        *columns(
            (
                *(command.id, command.order.kind, command.to.player_id, command.to.server_id),
                msgspec.json.encode(command.payload).decode(),
                *(command.state, command.order.by.reason),
                *(command.order.by.actor, command.order.by.name),
                *(command.answer, command.seconds),
            )
            for command in sent
        ),
    )


def _action(sent: SentCommand) -> Action:
    """The payload too: a year later somebody asks what was said to whom."""
    after = {"command_id": sent.id, "kind": sent.order.kind, "state": sent.state}
    if sent.to.server_id:
        after["server_id"] = sent.to.server_id
    if sent.payload:
        after["payload"] = sent.payload
    return Action(kind="commands.send", by=sent.order.by, player_id=sent.to.player_id, after=after)
