"""
Admin actions as Intersect has them: ban, mute, kick and so on, by one path for each target.

They are a second way to the same operations: a ban of theirs is a sanction on the account,
also if it is asked for by a character. Who acts is the credential; a `moderator` in the body
is ignored.
"""

from datetime import timedelta
from http import HTTPStatus

from gamekeeper.api.path_parameters import ActionName, PlayerKey, UserKey
from gamekeeper.api.v1.admin_requests import AdminAction, AdminRequest, AdminTarget, DoAction
from gamekeeper.api.v1.live_actions import LIVE_ACTIONS, LIVE_REFUSALS
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.schemas import Message
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import AlreadySanctioned, Imposition, OwnSanction, Pardon
from gamekeeper.moderation.texts import InvalidText
from gamekeeper.players.lookup import PlayerNotFound, find_player
from gamekeeper.sanctions.records import SanctionKind
from gamekeeper.servers.commands.doorbell import Doorbell
from gamekeeper.users import accounts
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.ranks import Outranked

users = Routes("/api/v1/users")
players = Routes("/api/v1/players")

LONGEST_DAYS = 36_500
"""More days than these are without end: Intersect's editors send 999 years for that."""


class InvalidAction(Invalid):
    """Invalid action."""


class ActionNotSupported(Invalid):
    """That action is not supported by the API."""


class ActionNotImplemented(Problem):
    """This action exists but is not implemented."""

    status = HTTPStatus.NOT_IMPLEMENTED


class ActionNotPermitted(Invalid):
    """You do not have the permission to do this."""

    cacheable = False


class ActionDoneBefore(Invalid):
    """Already done."""


async def _ban(request: AdminRequest) -> Message:
    return await _impose(request, "ban", "banned")


async def _mute(request: AdminRequest) -> Message:
    return await _impose(request, "mute", "muted")


async def _impose(request: AdminRequest, kind: SanctionKind, done: str) -> Message:
    name, body = request.target.name, request.body
    days = body.duration if body.duration and 0 < body.duration <= LONGEST_DAYS else None
    order = Imposition(
        by=request.by,
        user=str(request.target.user_id),
        kind=kind,
        duration=None if days is None else timedelta(days=days),
        reason=body.reason,
        # Existing panels have one field, whose text the player reads.
        message=body.reason,
        once=True,
        caller=request.caller,
    )
    try:
        return await sanctions.impose.one(
            request.database, order, lambda _: Message(message=f"{name} has been {done}!")
        )
    except AlreadySanctioned:
        raise ActionDoneBefore(f"{name} has already been {done}!") from None


async def _unban(request: AdminRequest) -> Message:
    return await _pardon(request, "ban", "unbanned")


async def _unmute(request: AdminRequest) -> Message:
    return await _pardon(request, "mute", "unmuted")


async def _pardon(request: AdminRequest, kind: SanctionKind, done: str) -> Message:
    """Answers the same if there was nothing to lift, as Intersect does."""
    order = Pardon(
        by=request.by,
        user=str(request.target.user_id),
        kind=kind,
        reason=request.body.reason,
        caller=request.caller,
    )
    told = Message(message=f"{request.target.name} has been {done}!")
    return await sanctions.pardon.one(request.database, order, lambda _: told)


MANAGE = "sanctions.manage"

ACTIONS: dict[str, AdminAction] = {
    "ban": AdminAction(scope=MANAGE, power="ban", carry_out=_ban),
    "unban": AdminAction(scope=MANAGE, power="ban", carry_out=_unban),
    "mute": AdminAction(scope=MANAGE, power="mute", carry_out=_mute),
    "unmute": AdminAction(scope=MANAGE, power="mute", carry_out=_unmute),
    **LIVE_ACTIONS,
}
"""What there is to do, by its name in small letters."""

NOT_SUPPORTED = {"warpmeto": "WarpMeTo", "warptome": "WarpToMe"}
NOT_IMPLEMENTED = {"setsprite": "SetSprite", "setface": "SetFace", "setaccess": "SetAccess"}

REFUSED = (
    *(InvalidAction, ActionNotSupported, ActionNotPermitted, ActionDoneBefore, InvalidText),
    ActionNotImplemented,
    *LIVE_REFUSALS,
)


@users.post("/{key}/admin/{action}", "users.query", raises=(*REFUSED, UserNotFound))
async def act_on_user(
    database: Database,
    bell: Doorbell,
    caller: Principal,
    by: AuditContext,
    key: UserKey,
    action: ActionName,
    body: DoAction,
) -> Message:
    """
    Ban, unban, mute, unmute, kick, kill or warp an account, as existing panels do.

    Besides `users.query` it needs `sanctions.manage` or, with a token, the power Ban or Mute; to
    kick, kill or warp who is online, `commands` or the power Kick, and the game must answer.
    `duration` is in days; without it, or beyond a hundred years, there is no end.
    """
    chosen = _action(action)
    row = await accounts.rows_by_key.one(database.reader, key)
    if row is None:
        raise accounts.missing(key)
    target = AdminTarget(name=row["name"], user_id=row["id"], player_id=None)
    request = AdminRequest(
        database=database, bell=bell, caller=caller, by=by, target=target, body=body
    )
    return await _act(chosen, request)


@players.post("/{key}/admin/{action}", "players.read", raises=(*REFUSED, PlayerNotFound))
async def act_on_player(
    database: Database,
    bell: Doorbell,
    caller: Principal,
    by: AuditContext,
    key: PlayerKey,
    action: ActionName,
    body: DoAction,
) -> Message:
    """
    Ban, unban, mute, unmute the account of a character, kick, kill or warp it, as panels do.

    Besides `players.read` it needs `sanctions.manage` or, with a token, the power Ban or Mute; to
    kick, kill or warp who is online, `commands` or the power Kick, and the game must answer.
    """
    chosen = _action(action)
    player = await find_player(database.reader, key)
    target = AdminTarget(name=player.name, user_id=player.user_id, player_id=player.id)
    request = AdminRequest(
        database=database, bell=bell, caller=caller, by=by, target=target, body=body
    )
    return await _act(chosen, request)


def _action(name: str) -> AdminAction:
    word = name.lower()
    if word in NOT_SUPPORTED:
        raise ActionNotSupported(f"'{NOT_SUPPORTED[word]}' not supported by the API.")
    if word in NOT_IMPLEMENTED:
        raise ActionNotImplemented(NOT_IMPLEMENTED[word])
    if word not in ACTIONS:
        raise InvalidAction
    return ACTIONS[word]


async def _act(action: AdminAction, request: AdminRequest) -> Message:
    """Carry out an action, if the caller may; a higher rank is answered as Intersect does."""
    if not await _may(action, request):
        raise ActionNotPermitted
    try:
        return await action.carry_out(request)
    except (Outranked, OwnSanction):
        raise ActionNotPermitted from None


async def _may(action: AdminAction, request: AdminRequest) -> bool:
    caller = request.caller
    if caller.may(action.scope):
        return True
    if caller.user_id is None or caller.session:
        return False
    held = await accounts.powers(request.database.reader, [caller.user_id])
    return held.get(caller.user_id, {}).get(action.power, False)
