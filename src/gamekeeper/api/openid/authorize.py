"""Authorization: the player is sent here, asked if necessary, and sent back with a code."""

from urllib.parse import urlsplit

from gamekeeper.api.openid import answers, authorization_requests
from gamekeeper.api.openid.answers import AnyForm
from gamekeeper.api.openid.text_keys import SCOPE_TEXTS
from gamekeeper.auth import credentials
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Conflict
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Reader
from gamekeeper.http.cookies import PlayerCookie
from gamekeeper.http.cross_site import SameOrigin
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.provider import (
    client_records,
    discourse,
    sessions,
    sign_ins,
)
from gamekeeper.provider.authorization import (
    AuthorizationError,
    AuthorizationRequest,
    RequestMalformed,
    UnknownClient,
    UnknownRedirectUri,
)
from gamekeeper.provider.client_records import RegisteredClient
from gamekeeper.provider.discourse import DiscourseRequest
from gamekeeper.provider.sessions import PlayerSession
from gamekeeper.provider.sign_ins import Exchange, Grant, InvalidGrant, SessionEnded
from gamekeeper.sanctions.in_force import banned_accounts

routes = Routes("", roles=None)


@routes.get("/openid/authorize", head=False)
async def authorize(
    database: Database,
    settings: Settings,
    vault: Vault,
    cookie: PlayerCookie,
    request: Request,
) -> Response:
    """Send the browser back to the client with a code, or ask the player first."""
    query = request.query_string.decode("latin-1")
    try:
        wanted = await authorization_requests.read(database.reader, settings, vault, query)
        return await _authorized(database, settings, cookie, request, wanted)
    except AuthorizationError as refusal:
        return answers.redirect(refusal.address)
    except (UnknownClient, UnknownRedirectUri, RequestMalformed) as problem:
        return await answers.notice(settings, request, problem.code)


@routes.post("/openid/authorize", keeps_body=True)
async def authorize_by_form(settings: Settings, request: Request, body: AnyForm) -> Response:
    """
    The same by a form, which must be accepted.

    The cookie does not come with a form of another site, but with the redirect that follows.
    """
    return await answers.by_query(settings, request, "/openid/authorize")


async def _authorized(
    database: Database,
    settings: Settings,
    cookie: PlayerCookie,
    request: Request,
    wanted: AuthorizationRequest,
) -> Response:
    session = await sessions.find(database.reader, cookie.read(request))
    silent = "none" in wanted.prompts
    if wanted.needs_sign_in(session) or session is None:
        if silent:
            raise wanted.refusal("login_required")
        return await _sign_in_page(settings, request, wanted, session)
    if await _is_refused(database.reader, wanted.client, session):
        if silent:
            raise wanted.refusal("access_denied")
        return await answers.notice(
            settings,
            request,
            "banned",
            client=wanted.client.name,
            back=wanted.answer(error="access_denied"),
        )
    agreed = await sign_ins.consented(database.reader, session.user_id, wanted.client.id)
    if wanted.needs_consent(agreed):
        if silent:
            raise wanted.refusal("consent_required")
        return await _consent_page(settings, request, wanted, session)
    try:
        return answers.redirect(await _code_for(database, wanted, session, consents=False))
    except SessionEnded:
        if silent:
            raise wanted.refusal("login_required") from None
        return await _sign_in_page(settings, request, wanted, session)


async def _is_refused(reader: Reader, client: RegisteredClient, session: PlayerSession) -> bool:
    """Whether a ban keeps the player from this client."""
    return not client.admits_banned and bool(await banned_accounts(reader, [session.user_id]))


async def _code_for(
    database: Database, wanted: AuthorizationRequest, session: PlayerSession, *, consents: bool
) -> str:
    """The address that takes a new code to the client."""
    code = credentials.new_credential("gkoc")
    grant = Grant(
        user_id=session.user_id,
        session_id=session.id,
        client_id=wanted.client.id,
        redirect_uri=wanted.redirect_uri,
        scopes=wanted.scopes,
        nonce=wanted.nonce,
        challenge=wanted.challenge,
        consents=consents,
        code=code,
    )
    await sign_ins.grant.one(database, grant)
    if isinstance(wanted, DiscourseRequest):
        return await _answer_to_forum(database, wanted, code)
    return wanted.answer(code=str(code))


async def _answer_to_forum(database: Database, wanted: DiscourseRequest, code: Hidden) -> str:
    """The address that takes the account to a forum, which exchanges no code itself."""
    order = Exchange(
        code=code,
        client_id=wanted.client.id,
        redirect_uri=wanted.redirect_uri,
        verifier=None,
        access=credentials.new_credential("gkoa"),
        refresh=credentials.new_credential("gkor"),
    )
    try:
        issued = await sign_ins.exchange.one(database, order)
    except InvalidGrant:
        raise SessionEnded from None
    account = await discourse.account_of(database.reader, issued.user_id, issued.scopes)
    if account is None:
        raise SessionEnded
    return wanted.answer(**account)


class StaleRequest(Conflict):
    """You signed in or out in another tab. Start again at the website or program."""

    cacheable = False


class ConsentDecision(Body, frozen=True):
    request: str
    """The query string of the authorization request."""
    account: str
    """The account that the page showed."""
    allow: bool


@routes.post("/openid/decision")
async def decide(
    database: Database,
    settings: Settings,
    vault: Vault,
    cookie: PlayerCookie,
    same_origin: SameOrigin,
    request: Request,
    body: ConsentDecision,
) -> Response:
    """Allow or refuse what a client asks for."""
    same_origin.check(request, is_safe=False)
    try:
        wanted = await authorization_requests.read(database.reader, settings, vault, body.request)
    except AuthorizationError as refusal:
        return answers.step(refusal.address)
    if not body.allow:
        return answers.step(wanted.answer(error="access_denied"))
    session = await sessions.find(database.reader, cookie.read(request))
    if session is None or client_records.subject_of(session.user_id) != body.account:
        raise StaleRequest
    if wanted.subject is not None and wanted.subject != body.account:
        raise StaleRequest
    try:
        return answers.step(await _code_for(database, wanted, session, consents=True))
    except SessionEnded:
        raise StaleRequest from None


async def _sign_in_page(
    settings: Settings,
    request: Request,
    wanted: AuthorizationRequest,
    session: PlayerSession | None,
) -> Response:
    hint = session.name if session else wanted.login_hint
    return await answers.page(
        settings, request, "openid_sign_in.html", client=wanted.client.name, hint=hint
    )


async def _consent_page(
    settings: Settings, request: Request, wanted: AuthorizationRequest, session: PlayerSession
) -> Response:
    return await answers.page(
        settings,
        request,
        "openid_consent.html",
        client=wanted.client.name,
        # Everybody may call a program as they like: the player sees where the answer goes.
        host=urlsplit(wanted.redirect_uri).netloc,
        account=client_records.subject_of(session.user_id),
        name=session.name,
        scopes=[SCOPE_TEXTS[scope] for scope in wanted.scopes],
    )
