"""Sign-in with a browser: the password, the second factor, step-up, and sign-out."""

from contextlib import suppress
from typing import Any
from uuid import UUID

import msgspec
from msgspec import structs

from gamekeeper.api import audit_context
from gamekeeper.auth import browser_sessions, client_traces
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.authorisation import UNFINISHED, is_fresh
from gamekeeper.auth.browser_sessions import SessionEnd, SessionNotFound
from gamekeeper.auth.client_traces import DeviceIdText, InvalidDeviceId
from gamekeeper.auth.principal import Principal, SessionState
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Forbidden, TooManyRequests, Unauthorized
from gamekeeper.core.schemas import Body, Record
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database
from gamekeeper.http.cookies import SessionCookie
from gamekeeper.http.cross_site import CrossSiteRequest, SameOrigin
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.sanctions.access_bans import AccessBanned
from gamekeeper.users import passwords
from gamekeeper.users.passwords import InvalidPasswordHash, PasswordHash
from gamekeeper.users.staff import (
    passkeys,
    recovery_codes,
    second_factors,
    sign_in,
    sign_in_links,
    totp,
)
from gamekeeper.users.staff.challenges import ChallengeExpired
from gamekeeper.users.staff.passkeys import Assertion, PasskeyRefused, PasskeysUnavailable
from gamekeeper.users.staff.second_factors import WrongCode
from gamekeeper.users.staff.sign_in import BegunSession, SignInRefused
from gamekeeper.users.staff.sign_in_links import LinkRefused
from gamekeeper.users.staff.verification import Method, SessionContext

public = Routes("/api/v1/session", roles=None)
routes = Routes("/api/v1/session")


class NoSession(Forbidden):
    """This needs a browser session. API keys and tokens cannot use it."""

    cacheable = False


class SignInBody(Body, frozen=True):
    username: str
    """The username, in any letter case, or the user id."""
    password: PasswordHash
    """SHA-256 of the password: 64 hexadecimal digits, no hyphens, in any letter case."""
    device_id: DeviceIdText | None = None
    """An id of the device, 1 to 128 characters; only a keyed hash of it is stored."""


class CodeBody(Body, frozen=True):
    code: str
    """The six digits of the authenticator app, or a recovery code as it was shown."""


class LinkBody(Body, frozen=True):
    code: str
    """The part after `#link=` in the URL that `gamekeeper staff link` prints."""


class AssertionBody(Body, frozen=True):
    id: str
    """The `id` of the credential, base64url."""
    client_data_json: str
    """The `response.clientDataJSON` of the credential, base64url."""
    authenticator_data: str
    """Its `response.authenticatorData`, base64url."""
    signature: str
    """Its `response.signature`, base64url."""


class SessionStatus(Record, frozen=True):
    """The state of a sign-in, and the methods for its next step."""

    state: SessionState
    """
    `signed_in`; `second_factor_required`: verify one of the methods; `enrolment_required`:
    enrol a second factor.
    """
    methods: list[Method]
    """The verification methods of the account."""
    session_id: UUID


class PasskeyOptions(Record, frozen=True):
    options: dict[str, Any]
    """For `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON`."""


class SignedOut(Record, frozen=True):
    session_id: UUID


@public.post(
    "",
    raises=(
        *(SignInRefused, AccessBanned, CrossSiteRequest, InvalidPasswordHash, InvalidDeviceId),
        TooManyRequests,
    ),
    rate="sign-in",
)
async def sign_in_with_password(
    database: Database,
    vault: Vault,
    authenticator: Authenticator,
    cookie: SessionCookie,
    same_origin: SameOrigin,
    request: Request,
    body: SignInBody,
) -> SessionStatus | Response:
    """Sign a staff member in with a browser: username and password, then the second factor."""
    same_origin.check(request, is_safe=False)
    begun = await sign_in.sign_in(
        database,
        vault,
        body.username,
        passwords.parse("password", body.password),
        user_agent=request.headers.get("user-agent", ""),
        by=audit_context.by_request(request),
        trace=client_traces.of_client(vault, request.address, body.device_id),
    )
    await end_former(database, authenticator, cookie.read(request), request)
    return await begun_answer(database, cookie, request, begun)


@public.post(
    "/link",
    raises=(LinkRefused, AccessBanned, CrossSiteRequest, TooManyRequests),
    rate="sign-in",
)
async def sign_in_with_link(
    database: Database,
    authenticator: Authenticator,
    cookie: SessionCookie,
    same_origin: SameOrigin,
    request: Request,
    body: LinkBody,
) -> SessionStatus | Response:
    """Sign a staff member in with the code of a link from the command line, which is used up."""
    same_origin.check(request, is_safe=False)
    begun = await sign_in_links.sign_in(
        database,
        body.code,
        user_agent=request.headers.get("user-agent", ""),
        by=audit_context.by_request(request),
    )
    await end_former(database, authenticator, cookie.read(request), request)
    return await begun_answer(database, cookie, request, begun)


async def begun_answer(
    database: Database, cookie: SessionCookie, request: Request, begun: BegunSession
) -> Response:
    """What a sign-in needs next, with the cookie of its session."""
    answer = SessionStatus(
        state=begun.state,
        methods=await second_factors.methods_of(database.reader, begun.account.id),
        session_id=begun.session_id,
    )
    return with_cookie(answer, cookie.issued(request, begun.cookie))


async def end_former(
    database: Database, authenticator: Authenticator, former: str, request: Request
) -> None:
    """End the session that the browser had before, whose cookie it is about to lose."""
    with suppress(Unauthorized, SessionNotFound):
        known = await authenticator.authenticate_session(former)
        if known.session and known.user_id:
            by = structs.replace(audit_context.by_request(request), actor=known.id, name=known.name)
            end = SessionEnd(user_id=known.user_id, only=known.session.id, by=by)
            await browser_sessions.end.one(database, end)
            authenticator.forget(former)


@routes.post("/totp", raises=(WrongCode, NoSession, TooManyRequests), before_sign_in=UNFINISHED)
async def verify_totp(
    database: Database,
    vault: Vault,
    cookie: SessionCookie,
    caller: Principal,
    request: Request,
    body: CodeBody,
) -> SessionStatus | Response:
    """Verify the session by the code of an authenticator app: complete a sign-in, or step up."""
    context = context_of(caller, request)
    value = await totp.verify(database, vault, context, body.code)
    return await _verified(database, cookie, request, context, value)


@routes.post("/recovery", raises=(WrongCode, NoSession, TooManyRequests), before_sign_in=UNFINISHED)
async def verify_recovery_code(
    database: Database,
    vault: Vault,
    cookie: SessionCookie,
    caller: Principal,
    request: Request,
    body: CodeBody,
) -> SessionStatus | Response:
    """Verify the session by a recovery code, which works only once."""
    context = context_of(caller, request)
    value = await recovery_codes.verify(database, vault, context, body.code)
    return await _verified(database, cookie, request, context, value)


@routes.post("/passkey/options", raises=(PasskeysUnavailable, NoSession), before_sign_in=UNFINISHED)
async def begin_passkey_verification(
    database: Database, caller: Principal, request: Request
) -> PasskeyOptions:
    """The options for verifying a passkey in the browser; valid for five minutes."""
    context = context_of(caller, request)
    return PasskeyOptions(options=await passkeys.authentication_options(database, context))


@routes.post(
    "/passkey",
    raises=(PasskeyRefused, ChallengeExpired, PasskeysUnavailable, NoSession),
    before_sign_in=UNFINISHED,
)
async def verify_passkey(
    database: Database,
    cookie: SessionCookie,
    caller: Principal,
    request: Request,
    body: AssertionBody,
) -> SessionStatus | Response:
    """Verify the session by a passkey: complete a sign-in, or step up."""
    context = context_of(caller, request)
    assertion = Assertion(
        id=body.id,
        client_data_json=body.client_data_json,
        authenticator_data=body.authenticator_data,
        signature=body.signature,
    )
    value = await passkeys.verify(database, context, assertion)
    return await _verified(database, cookie, request, context, value)


@routes.delete("", raises=(NoSession, SessionNotFound), before_sign_in=UNFINISHED)
async def sign_out(
    database: Database,
    authenticator: Authenticator,
    cookie: SessionCookie,
    caller: Principal,
    request: Request,
) -> SignedOut | Response:
    """End the current session, and remove its cookie."""
    context = context_of(caller, request)
    end = SessionEnd(user_id=context.user_id, only=context.session_id, by=context.by)
    await browser_sessions.end.one(database, end)
    authenticator.forget(cookie.read(request))
    return with_cookie(SignedOut(session_id=context.session_id), cookie.removed(request))


async def _verified(
    database: Database,
    cookie: SessionCookie,
    request: Request,
    context: SessionContext,
    value: Hidden,
) -> Response:
    answer = SessionStatus(
        state="signed_in",
        methods=await second_factors.methods_of(database.reader, context.user_id),
        session_id=context.session_id,
    )
    return with_cookie(answer, cookie.issued(request, value))


def context_of(caller: Principal, request: Request) -> SessionContext:
    """The browser session of a request, or raise NoSession."""
    if caller.session is None or caller.user_id is None:
        raise NoSession
    return SessionContext(
        user_id=caller.user_id,
        session_id=caller.session.id,
        by=audit_context.by_request(request),
        is_fresh=is_fresh(caller.session),
        origin=request.headers.get("origin", ""),
    )


def with_cookie(answer: Record, *headers: tuple[str, str]) -> Response:
    """An answer that sets or removes the session cookie."""
    return Response(body=msgspec.json.encode(answer), headers=list(headers))
