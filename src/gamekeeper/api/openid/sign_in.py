"""The sign-in of a player with a browser: the password, and a second factor if there is one."""

from contextlib import suppress
from typing import Annotated
from uuid import uuid5

from msgspec import Meta

from gamekeeper.api import audit_context
from gamekeeper.api.openid import answers, authorization_requests
from gamekeeper.auth import client_traces, credentials, login_throttle
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Forbidden
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.http.cookies import PlayerCookie
from gamekeeper.http.cross_site import SameOrigin
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.provider import (
    authorization,
    sessions,
)
from gamekeeper.provider.authorization import (
    AuthorizationError,
)
from gamekeeper.provider.sessions import NewPlayerSession
from gamekeeper.sanctions.access_bans import AccessBanned
from gamekeeper.users import passwords
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.passwords import Account, InvalidCredentials, PasswordHash
from gamekeeper.users.staff import recovery_codes, second_factors, totp
from gamekeeper.users.staff.verification import SessionContext

routes = Routes("", roles=None)


class SecondFactorRequired(Forbidden):
    """Enter a code of your authenticator app, or a recovery code."""

    cacheable = False


class SecondFactorMissing(Forbidden):
    """Staff accounts need a second factor. Add one in the console first."""

    cacheable = False


class AccessRefused(Forbidden):
    """You cannot sign in here with this device or network."""

    cacheable = False


class PlayerSignIn(Body, frozen=True):
    username: Annotated[str, Meta(max_length=64)]
    password: PasswordHash
    request: str
    """The query string of the authorization request."""
    code: Annotated[str, Meta(max_length=64)] = ""
    """A code of an authenticator app or a recovery code, for accounts that have one."""


@routes.post("/openid/sign-in", rate="sign-in")
async def sign_in(
    database: Database,
    settings: Settings,
    vault: Vault,
    cookie: PlayerCookie,
    same_origin: SameOrigin,
    request: Request,
    body: PlayerSignIn,
) -> Response:
    """Sign a player in with this browser: by the password, and a second factor if there is one."""
    same_origin.check(request, is_safe=False)
    with suppress(AuthorizationError):
        await authorization_requests.read(database.reader, settings, vault, body.request)
    account = await _authenticated(database, settings, vault, request, body)
    value = credentials.new_credential("gkos")
    former = cookie.read(request)
    order = NewPlayerSession(
        user_id=account.id,
        sealed=account.sealed,
        address=client_traces.canonical_address(request.address),
        former=Hidden(former) if former else None,
        cookie=value,
    )
    await sessions.start.one(database, order)
    address = f"{settings.openid_issuer}/openid/authorize?"
    return answers.step(
        address + authorization.signed_in_now(body.request), cookie.issued(request, value)
    )


async def _authenticated(
    database: Database, settings: Settings, vault: Vault, request: Request, body: PlayerSignIn
) -> Account:
    """The account of a name and a password; raise InvalidCredentials, whatever was wrong."""
    secret = passwords.parse("password", body.password)
    trace = client_traces.of_client(vault, request.address, None)
    try:
        await client_traces.check(database.reader, trace)
    except AccessBanned:
        raise AccessRefused from None
    try:
        account = await passwords.authenticate(
            database,
            vault,
            body.username,
            secret,
            source=login_throttle.from_address(request.address),
            trace=trace,
        )
    except UserNotFound:
        raise InvalidCredentials from None
    if await second_factors.factors_of(database.reader, account.id):
        await _check_second_factor(database, vault, request, account, body.code)
    elif account.is_staff and settings.staff_second_factor == "required":
        raise SecondFactorMissing
    return account


async def _check_second_factor(
    database: Database, vault: Vault, request: Request, account: Account, code: str
) -> None:
    """Require a code of an account that has a second factor, as the console does."""
    if not code.strip():
        raise SecondFactorRequired
    context = SessionContext(
        user_id=account.id,
        # Attempts are counted for each account and source, before there is a session.
        session_id=uuid5(account.id, login_throttle.from_address(request.address)),
        by=audit_context.by_request(request),
    )
    is_short = code.strip().isdigit() and len(code.strip()) == totp.DIGITS
    async with second_factors.attempt(database, context, is_short=is_short):
        proof = (
            await totp.proof_of(database, vault, context, code.strip())
            if is_short
            else recovery_codes.proof_of(vault, context, code)
        )
        await second_factors.spend.one(database, proof)
