"""Sign-outs by a client, which proves that it knows the player, or by the player."""

from gamekeeper.api.openid import answers
from gamekeeper.api.openid.answers import AnyForm
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.http.cookies import PlayerCookie
from gamekeeper.http.cross_site import SameOrigin
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.provider import (
    client_records,
    logout,
    sessions,
)
from gamekeeper.provider.authorization import (
    RequestMalformed,
)
from gamekeeper.provider.logout import InvalidLogout, LogoutRequest
from gamekeeper.provider.sessions import PlayerSessionEnd

routes = Routes("", roles=None)


class SignOutBody(Body, frozen=True):
    request: str
    """The query string of the logout request."""


@routes.get("/openid/logout", head=False)
async def log_out(
    database: Database, settings: Settings, cookie: PlayerCookie, request: Request
) -> Response:
    """Sign the player out, as a client asks (RP-initiated logout), or ask the player first."""
    query = request.query_string.decode("latin-1")
    try:
        wanted = await logout.read(database.reader, settings, query)
    except (InvalidLogout, RequestMalformed):
        return await answers.notice(settings, request, "invalid_logout")
    session = await sessions.find(database.reader, cookie.read(request))
    if session is None:
        return await _signed_out(settings, request, wanted)
    if wanted.subject != client_records.subject_of(session.user_id):
        # Without a token of this account anybody could sign the player out by a link.
        return await answers.page(
            settings,
            request,
            "openid_sign_out.html",
            name=session.name,
            client=wanted.client_name or "",
        )
    await sessions.end.one(database, PlayerSessionEnd(user_id=session.user_id, id=session.id))
    return await _signed_out(settings, request, wanted, cookie.removed(request))


@routes.post("/openid/logout", keeps_body=True)
async def log_out_by_form(settings: Settings, request: Request, body: AnyForm) -> Response:
    """The same by a form, which must be accepted."""
    return await answers.by_query(settings, request, "/openid/logout")


@routes.post("/openid/sign-out")
async def sign_out(
    database: Database,
    settings: Settings,
    cookie: PlayerCookie,
    same_origin: SameOrigin,
    request: Request,
    body: SignOutBody,
) -> Response:
    """Sign the player out, who was asked."""
    same_origin.check(request, is_safe=False)
    wanted = await logout.read(database.reader, settings, body.request)
    session = await sessions.find(database.reader, cookie.read(request))
    if session is not None:
        await sessions.end.one(database, PlayerSessionEnd(user_id=session.user_id, id=session.id))
    address = wanted.address or f"{settings.openid_issuer}/openid/logout"
    return answers.step(address, cookie.removed(request))


async def _signed_out(
    settings: Settings, request: Request, wanted: LogoutRequest, *headers: tuple[str, str]
) -> Response:
    if wanted.address is not None:
        return answers.redirect(wanted.address, *headers)
    return await answers.notice(settings, request, "signed_out", *headers, is_fault=False)
