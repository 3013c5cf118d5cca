"""Intersect's admin actions on who is online: kick, kill and warp, by commands to the game."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from gamekeeper.api.v1.admin_requests import AdminAction, AdminRequest
from gamekeeper.core.errors import Invalid, NotFound
from gamekeeper.core.schemas import Message
from gamekeeper.players.lookup import find_player
from gamekeeper.servers import presence
from gamekeeper.servers.commands.acknowledgement import FETCH_SECONDS, NotAnswered, acknowledged
from gamekeeper.servers.commands.outbox import NewCommand, TooManyCommands
from gamekeeper.servers.commands.payloads import CommandKind, InvalidCommand


# Sentences of Intersect, which its clients compare: they stay as they are.
class UserNotOnline(NotFound):
    """User not online!"""

    cacheable = False


class MapIdMissing(Invalid):
    """Expected a map ID."""


async def _kick(request: AdminRequest) -> Message:
    await _carry_out(request, "kick", {})
    return Message(message=f"{request.target.name} has been kicked by the server!")


async def _kill(request: AdminRequest) -> Message:
    await _carry_out(request, "kill", {})
    return Message(message=f"{request.target.name} has been killed!")


async def _warp(request: AdminRequest) -> Message:
    """To a place on a map; a character keeps its map or its place if that is not said."""
    map_id, x, y = request.body.map_id, request.body.x, request.body.y
    if map_id is None and request.target.player_id is None:
        raise MapIdMissing
    if map_id is None or x is None or y is None:
        [player, *_] = await _online(request)
        known = await find_player(request.database.reader, player)
        # The game may never have told where the character is.
        map_id = map_id or (known.map_id if known.map_id.int else None)
        x, y = known.x if x is None else x, known.y if y is None else y
    if map_id is None:
        raise MapIdMissing
    await _carry_out(request, "warp", {"MapId": map_id, "X": x, "Y": y})
    return Message(message=f"Warped '{request.target.name}' to {map_id} ({x}, {y}).")


async def _carry_out(request: AdminRequest, kind: CommandKind, payload: Mapping[str, Any]) -> None:
    """Have the game do it to the character, or to those of the account that are online."""
    orders = [
        NewCommand(
            # The reply is made of the game's answer, which no idempotency key keeps.
            by=structs.replace(request.by, key=None),
            caller=request.caller,
            kind=kind,
            player=player,
            payload=payload,
            seconds=FETCH_SECONDS,
        )
        for player in await _online(request)
    ]
    sent = await acknowledged(request.database, request.bell, orders)
    if all(command.state == "expired" and command.delivered_to is None for command in sent):
        raise UserNotOnline
    if not any(command.state == "done" for command in sent):
        [first, *_] = sent
        raise NotAnswered(first.answer if first.state == "failed" else None)


async def _online(request: AdminRequest) -> list[str]:
    target = request.target
    if target.player_id is not None:
        return [str(target.player_id)]
    found = await presence.of_user(request.database.reader, target.user_id)
    if not found:
        raise UserNotOnline
    return [str(player) for player in found]


def _action(carry_out: Any) -> AdminAction:
    return AdminAction(scope="commands", power="kick", carry_out=carry_out)


LIVE_ACTIONS: Mapping[str, AdminAction] = {
    "kick": _action(_kick),
    "kill": _action(_kill),
    "warpto": _action(_warp),
    "warptoloc": _action(_warp),
}

LIVE_REFUSALS = (UserNotOnline, MapIdMissing, NotAnswered, TooManyCommands, InvalidCommand)
