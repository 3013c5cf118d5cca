"""
Chat, as clients of the Intersect Engine send it: to all, to one character, to a map.

Each is a command to game servers, and the response waits for the first answer, as those
clients expect.
"""

import re
from typing import Any, ClassVar
from uuid import UUID

from msgspec import structs

from gamekeeper.api.path_parameters import MapKey, OnlinePlayerKey
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Conflict, Invalid, NotFound
from gamekeeper.core.names import parse_guid
from gamekeeper.core.parsing import JsonObject
from gamekeeper.core.schemas import Body, Record, Reply
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import ALWAYS
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.servers import leases
from gamekeeper.servers.commands.acknowledgement import FETCH_SECONDS, NotAnswered, acknowledged
from gamekeeper.servers.commands.doorbell import Doorbell
from gamekeeper.servers.commands.outbox import NewCommand, TooManyCommands
from gamekeeper.servers.commands.payloads import InvalidCommand
from gamekeeper.servers.commands.records import GameCommand

routes = Routes("/api/v1/chat", roles=["commands"])

# As PHP and .NET clients send an object in a form: Color[R]=255.
IN_A_FORM = re.compile(r"color\[([argb])\]", re.IGNORECASE)


class GameOffline(Conflict):
    """No game server is running, so the message cannot be delivered."""

    cacheable = False


class ChatPlayerNotFound(NotFound):
    """No player of that name is online."""

    cacheable = False


class InvalidMapId(Invalid):
    """That is not the id of a map."""


class MapNotFound(NotFound):
    """No game server has that map."""

    cacheable = False


class SendChat(Body, frozen=True):
    """Something to be said in the game."""

    lenient: ClassVar[frozenset[str]] = frozenset({"color", "target"})

    message: str
    """1 to 500 characters."""
    color: JsonObject | None = None
    """
    `A`, `R`, `G` and `B`, each from 0 to 255 and 255 by default; in a form `Color[R]`
    and so on.
    """
    target: str | None = None
    """Returned unchanged."""


class ChatColor(Record, frozen=True):
    """A colour and its opacity."""

    a: int = 255
    """Opacity."""
    r: int = 255
    """Red."""
    g: int = 255
    """Green."""
    b: int = 255
    """Blue."""

    @property
    def hexadecimal(self) -> str:
        return f"#{self.a:02X}{self.r:02X}{self.g:02X}{self.b:02X}"


class ChatMessage(Record, frozen=True):
    """The message."""

    message: str
    color: ChatColor
    target: str | None
    """The value that was sent."""


class SentChat(Reply, frozen=True):
    """A message to all players."""

    success: bool
    """Always true; a failure is an error instead."""
    chat_message: ChatMessage
    """The message."""


class SentDirectChat(SentChat, frozen=True):
    """A message to a character."""

    lookup_key: str
    """The value that was sent."""


class SentProximityChat(SentChat, frozen=True):
    """A message to the players on a map."""

    map_id: UUID
    """The map's id."""


# Clients of Intersect send no idempotency keys, so the document has none for chat.
REFUSED = (InvalidCommand, NotAnswered, TooManyCommands)


@routes.post("", raises=(*REFUSED, GameOffline), priority=ALWAYS, takes_key=False)
async def send_chat(
    database: Database, bell: Doorbell, by: AuditContext, request: Request, body: SendChat
) -> SentChat:
    """Send a message to all players, on all game servers."""
    return await _to_all(database, bell, by, request, body)


@routes.post("/global", raises=(*REFUSED, GameOffline), priority=ALWAYS, takes_key=False)
async def send_global_chat(
    database: Database, bell: Doorbell, by: AuditContext, request: Request, body: SendChat
) -> SentChat:
    """Send a message to all players; the same as without `global`."""
    return await _to_all(database, bell, by, request, body)


@routes.post(
    "/direct/{key}", raises=(*REFUSED, ChatPlayerNotFound), priority=ALWAYS, takes_key=False
)
async def send_direct_chat(
    database: Database,
    bell: Doorbell,
    caller: Principal,
    by: AuditContext,
    request: Request,
    key: OnlinePlayerKey,
    body: SendChat,
) -> SentDirectChat:
    """Send a message to one online character."""
    message = _message(request, body)
    order = structs.replace(_order(by, message), player=key, caller=caller)
    try:
        [sent] = await acknowledged(database, bell, [order])
    except NotFound:
        raise _nobody(key) from None
    if sent.state == "expired" and sent.delivered_to is None:
        raise _nobody(key)
    if sent.state != "done":
        raise NotAnswered(sent.answer if sent.state == "failed" else None)
    return SentDirectChat(success=True, lookup_key=key, chat_message=message)


def _nobody(key: str) -> ChatPlayerNotFound:
    return ChatPlayerNotFound(f"No player found for '{key}'.")


@routes.post(
    "/proximity/{map_id}",
    raises=(*REFUSED, InvalidMapId, MapNotFound, GameOffline),
    priority=ALWAYS,
    takes_key=False,
)
async def send_proximity_chat(
    database: Database,
    bell: Doorbell,
    by: AuditContext,
    request: Request,
    map_id: MapKey,
    body: SendChat,
) -> SentProximityChat:
    """Send a message to all players on a map."""
    wanted = parse_guid(map_id)
    if wanted is None:
        raise InvalidMapId(f"Invalid map id '{map_id}'.")
    message = _message(request, body)
    order = _order(by, message)
    order = structs.replace(order, payload={**order.payload, "MapId": wanted})
    sent = await _everywhere(database, bell, order)
    if all(command.state == "failed" for command in sent):
        raise MapNotFound(f"No map found for '{map_id}'.")
    _check_done(sent)
    return SentProximityChat(success=True, map_id=wanted, chat_message=message)


async def _to_all(
    database: Database, bell: Doorbell, by: AuditContext, request: Request, body: SendChat
) -> SentChat:
    message = _message(request, body)
    _check_done(await _everywhere(database, bell, _order(by, message)))
    return SentChat(success=True, chat_message=message)


async def _everywhere(database: Database, bell: Doorbell, order: NewCommand) -> list[GameCommand]:
    """Send a command to each live server; done when one of them has answered."""
    live = await leases.live(database.reader)
    if not live:
        raise GameOffline
    orders = [structs.replace(order, server_id=server) for server in live]
    return await acknowledged(database, bell, orders)


def _check_done(sent: list[GameCommand]) -> None:
    if not any(command.state == "done" for command in sent):
        raise NotAnswered


def _order(by: AuditContext, message: ChatMessage) -> NewCommand:
    """Without an idempotency key: Intersect's clients have none, and lists share no key."""
    return NewCommand(
        by=structs.replace(by, key=None),
        kind="message",
        payload={"Text": message.message, "Color": message.color.hexadecimal},
        seconds=FETCH_SECONDS,
    )


def _message(request: Request, body: SendChat) -> ChatMessage:
    given: dict[str, Any] = {name.lower(): value for name, value in (body.color or {}).items()}
    for name, value in request.fields.items():
        if part := IN_A_FORM.fullmatch(name):
            given[part[1].lower()] = value
    color = ChatColor(**{name: _shade(given[name]) for name in "argb" if name in given})
    return ChatMessage(message=body.message, color=color, target=body.target)


def _shade(value: object) -> int:
    """A number from 0 to 255; anything else is full, as unreadable fields count as absent."""
    text = str(value)
    if text.isascii() and text.isdigit() and len(text) <= 3:
        return min(255, int(text))
    return 255
