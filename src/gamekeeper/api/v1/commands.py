"""Command endpoints for staff: send commands to the live game, and see what became of them."""

from typing import Any, Literal
from uuid import UUID

from gamekeeper.api import long_poll
from gamekeeper.api.callers import Callers
from gamekeeper.api.path_parameters import CommandId, PlayerKey, ServerId
from gamekeeper.auth.principal import Principal
from gamekeeper.core.parsing import JsonObject
from gamekeeper.core.schemas import Body, Page, Paging, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import ALWAYS
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.servers.commands import outbox, records
from gamekeeper.servers.commands.doorbell import Doorbell
from gamekeeper.servers.commands.outbox import NewCommand, TooManyCommands, When
from gamekeeper.servers.commands.payloads import CommandKind, InvalidCommand
from gamekeeper.servers.commands.records import CommandNotFound, GameCommand
from gamekeeper.servers.commands.states import SETTLED
from gamekeeper.servers.leases import ServerNotFound
from gamekeeper.users.ranks import Outranked

players = Routes("/api/v1/players")
servers = Routes("/api/v1/servers")
routes = Routes("/api/v1/commands")

SEND = "commands"


class SendCommand(Body, frozen=True):
    """A command to a game server."""

    kind: CommandKind
    """`kick`, `kill`, `warp`, `message` or `custom`."""
    text: str | None = None
    """The text for the players, 1 to 500 characters: of a message or a kick."""
    color: str | None = None
    """The color of a message: `#RRGGBB`, or `#AARRGGBB` with the opacity first."""
    map_id: UUID | None = None
    """The target map of a warp; a message is shown only on this map."""
    x: int | None = None
    """The position on the map for a warp, 0 to 65535."""
    y: int | None = None
    """The position on the map for a warp, 0 to 65535."""
    payload: JsonObject | None = None
    """For a custom command: any JSON object of at most 8 KiB. JSON bodies only."""
    seconds: int | None = None
    """Seconds until it expires unless fetched: 30 by default, at most 3600."""


class SendPlayerCommand(SendCommand, frozen=True):
    """A command to a character."""

    text: str | None = None
    """The text for the player, 1 to 500 characters: of a message or a kick."""
    seconds: int | None = None
    """
    Seconds until it expires unless fetched: 30 by default, at most 3600; with `next_join` 7
    days by default, at most 30 days.
    """
    when: When = "now"
    """`now`, or `next_join`: kept until the character joins a server, if it is on none."""


@players.post(
    "/{key}/commands", SEND, raises=(PlayerNotFound, InvalidCommand, Outranked, TooManyCommands)
)
async def send_player_command(
    database: Database, caller: Principal, by: AuditContext, key: PlayerKey, body: SendPlayerCommand
) -> GameCommand:
    """
    Send a command to a character: kick, kill, warp, message or custom.

    The game server that the character is on fetches it, carries it out once and answers.
    Nobody online: the state is `expired` at once, unless `when` is `next_join`. Read the
    command, with `wait`, to learn what became of it.
    """
    order = NewCommand(
        by=by,
        caller=caller,
        player=key,
        kind=body.kind,
        payload=_payload(body),
        when=body.when,
        seconds=body.seconds,
    )
    return await outbox.send.one(database, order)


@servers.post(
    "/{server_id}/commands", SEND, raises=(ServerNotFound, InvalidCommand, TooManyCommands)
)
async def send_server_command(
    database: Database, by: AuditContext, server_id: ServerId, body: SendCommand
) -> GameCommand:
    """
    Send a command to a game server itself, such as a message to all who play on it.

    If the server is down, the state is `expired` at once.
    """
    order = NewCommand(
        by=by,
        server_id=server_id,
        kind=body.kind,
        payload=_payload(body),
        seconds=body.seconds,
    )
    return await outbox.send.one(database, order)


def _payload(body: SendCommand) -> dict[str, Any]:
    """The payload of a custom command is free; other kinds have fields of their own."""
    fields = {
        "Text": body.text,
        "Color": body.color,
        "MapId": body.map_id,
        "X": body.x,
        "Y": body.y,
    }
    said: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    if body.kind != "custom":
        return said if body.payload is None else said | {"Payload": body.payload}
    for name in said:
        raise InvalidCommand(
            f"The command 'custom' does not accept '{name.lower()}'.", field=name.lower()
        )
    if body.payload is None:
        raise InvalidCommand("The command 'custom' requires 'payload'.", field="payload")
    return body.payload


class CommandList(Paging, frozen=True):
    state: Literal["waiting", "delivered", "done", "failed", "expired"] | None = None
    """Only commands in this state."""


@players.get("/{key}/commands", SEND, raises=(PlayerNotFound,))
async def list_player_commands(
    reader: Reader, key: PlayerKey, query: CommandList
) -> Page[GameCommand]:
    """The commands to a character, newest first; kept for 90 days."""
    return await records.of_player(reader, key, query.state, query.window)


@servers.get("/{server_id}/commands", SEND, raises=(ServerNotFound,))
async def list_server_commands(
    reader: Reader, server_id: ServerId, query: CommandList
) -> Page[GameCommand]:
    """The commands to a game server or delivered to it, newest first; kept for 90 days."""
    return await records.of_server(reader, server_id, query.state, query.window)


class CommandQuery(Query, frozen=True):
    wait: int = 0
    """
    Wait until the command is done, failed or expired, for at most this many seconds (0 to
    30).
    """


@routes.get("/{command_id}", SEND, raises=(CommandNotFound,), priority=ALWAYS)
async def get_command(
    database: Database,
    bell: Doorbell,
    callers: Callers,
    request: Request,
    command_id: CommandId,
    query: CommandQuery,
) -> GameCommand:
    """
    One command and its result.

    With `wait`, the response waits until the command is done, failed or expired, for at
    most this many seconds and at most 30.
    """
    found = await records.find(database.reader, command_id)

    async def is_settled() -> bool:
        nonlocal found
        found = await records.find(database.reader, command_id)
        return found.state in SETTLED

    if found.state not in SETTLED and query.wait > 0:
        still = long_poll.permission(callers, request, SEND)
        await long_poll.wait(bell, command_id, query.wait, is_settled, still)
    return found
