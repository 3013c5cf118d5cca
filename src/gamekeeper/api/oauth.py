"""OAuth 2.0: token endpoint (RFC 6749, as existing clients call it) and revocation (RFC 7009)."""

from contextlib import suppress
from datetime import datetime
from email.utils import format_datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.api.path_parameters import SignInKey, TokenId, UserKey
from gamekeeper.auth import (
    client_traces,
    credentials,
    login_throttle,
    shared_sign_ins,
    sign_outs,
    tokens,
)
from gamekeeper.auth.client_traces import ClientTrace, DeviceIdText
from gamekeeper.auth.credentials import Tokens
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.auth.shared_sign_ins import Sharing
from gamekeeper.auth.tokens import Family, InvalidGrant, SignIn, TokenNotFound
from gamekeeper.core.errors import Invalid, Problem, RoleRequired, TooManyRequests
from gamekeeper.core.names import missing, parse_guid
from gamekeeper.core.schemas import Body, Record, Reply
from gamekeeper.db.database import Database
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.sanctions.access_bans import AccessBanned
from gamekeeper.users import lookup, passwords, ranks
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.passwords import InvalidCredentials, PasswordHash
from gamekeeper.users.ranks import Outranked

public = Routes("/api/oauth", roles=None)
routes = Routes("/api/oauth")


class TokenRequest(Body, frozen=True, rename=None):
    grant_type: str | None = None
    """`password` or `refresh_token`."""
    username: str | None = None
    """For `password`: the username."""
    password: PasswordHash | None = None
    """For `password`: its SHA-256, 64 hexadecimal digits, no hyphens, in any letter case."""
    refresh_token: str | None = None
    """For `refresh_token`: the latest refresh token; each works once."""
    device_id: DeviceIdText | None = None
    """
    An id of the device that the client runs on, 1 to 128 characters. Only a keyed hash of it is
    stored.
    """


class TokenAnswer(
    Struct, frozen=True, kw_only=True, rename={"issued": ".issued", "expires": ".expires"}
):
    access_token: str
    token_type: str
    expires_in: int
    """Seconds."""
    refresh_token: str
    issued: str
    """RFC 1123."""
    expires: str
    """RFC 1123."""
    token_id: UUID
    """
    Names this sign-in; it stays the same when tokens are refreshed, unless the sign-in was
    shared.
    """


OAuthError = Literal["invalid_grant", "invalid_request", "unsupported_grant_type"]


class TokenRefusal(Struct, frozen=True, kw_only=True):
    """The shape RFC 6749 gives to a refusal."""

    error: OAuthError
    """As RFC 6749 names it."""
    error_description: str


class GrantRefused(Invalid):
    """The grant is refused; the error is one of RFC 6749's."""

    def __init__(self, error: OAuthError, description: str) -> None:
        super().__init__(description)
        self.error: OAuthError = error


def _as_rfc_6749(problem: Problem) -> TokenRefusal | None:
    """Translate a problem into an RFC 6749 error response."""
    if isinstance(problem, GrantRefused):
        return TokenRefusal(error=problem.error, error_description=str(problem))
    if isinstance(problem, InvalidGrant):
        return TokenRefusal(error="invalid_grant", error_description=str(problem))
    if isinstance(problem, Invalid):
        return TokenRefusal(error="invalid_request", error_description=str(problem))
    return None


@public.post("/token", raises=(TooManyRequests,), failure=_as_rfc_6749, rate="sign-in")
async def issue_token(
    database: Database, vault: Vault, request: Request, body: TokenRequest
) -> TokenAnswer:
    """Exchange a username and password hash, or a refresh token, for an access token."""
    return token_answer(await _grant(database, vault, request, body))


def token_answer(granted: Tokens) -> TokenAnswer:
    """New tokens, as RFC 6749 has them."""
    return TokenAnswer(
        access_token=str(granted.access),
        token_type="bearer",  # noqa: S106
        expires_in=round((granted.expires_at - granted.issued_at).total_seconds()),
        refresh_token=str(granted.refresh),
        issued=_rfc1123(granted.issued_at),
        expires=_rfc1123(granted.expires_at),
        token_id=granted.family_id,
    )


async def _grant(database: Database, vault: Vault, request: Request, body: TokenRequest) -> Tokens:
    match body.grant_type:
        case None:
            raise GrantRefused("invalid_request", "'grant_type' is required.")
        case "password":
            return await _by_password(database, vault, request, body)
        case "refresh_token":
            return await _by_refresh(database, vault, request, body)
        case _:
            raise GrantRefused("unsupported_grant_type", "Use password or refresh_token.")


async def _by_password(
    database: Database, vault: Vault, request: Request, body: TokenRequest
) -> Tokens:
    if body.username is None or body.password is None:
        raise GrantRefused("invalid_request", "'username' and 'password' are required.")
    secret = passwords.parse("password", body.password)
    source = login_throttle.from_address(request.address)
    trace = await _trace(database, vault, request, body)
    try:
        # This endpoint is public: without the power no reply reveals if the password is right.
        account = await passwords.authenticate_for_token(
            database, vault, body.username, secret, source=source, trace=trace
        )
    except (InvalidCredentials, UserNotFound):
        raise GrantRefused("invalid_grant", "The username or password is wrong.") from None
    order = SignIn(
        user_id=account.id,
        sealed=account.sealed,
        sharing=Sharing(vault, source, trace),
        trace=trace,
    )
    return await tokens.issue.one(database, order)


async def _by_refresh(
    database: Database, vault: Vault, request: Request, body: TokenRequest
) -> Tokens:
    token = body.refresh_token
    if token is None:
        raise GrantRefused("invalid_request", "'refresh_token' is required.")
    if credentials.kind_of(token) != "gkr":
        raise InvalidGrant
    # Before the exchange, which would use the token up.
    trace = await _trace(database, vault, request, body)
    if signed := shared_sign_ins.read_refresh_token(vault, token):
        granted = await tokens.refresh_shared.one(database, signed)
    else:
        granted = await tokens.refresh.one(database, token)
    await client_traces.note_refresh(database, granted.refresh, trace)
    return granted


async def _trace(
    database: Database, vault: Vault, request: Request, body: TokenRequest
) -> ClientTrace:
    """Where the client is, unless an access ban stops it."""
    trace = client_traces.of_client(vault, request.address, body.device_id)
    try:
        await client_traces.check(database.reader, trace)
    except AccessBanned as refusal:
        raise GrantRefused("invalid_grant", str(refusal)) from None
    return trace


def _rfc1123(instant: datetime) -> str:
    return format_datetime(instant, usegmt=True)


class RevokeRequest(Body, frozen=True):
    token: str
    """An access token or a refresh token."""


class Revoked(Record, frozen=True):
    """Empty: by RFC 7009 the response is the same whether or not the token existed."""


@public.post("/revoke")
async def revoke_token(database: Database, vault: Vault, body: RevokeRequest) -> Revoked:
    """End the sign-in that an access or refresh token belongs to."""
    if signed := shared_sign_ins.read_refresh_token(vault, body.token):
        with suppress(TokenNotFound):
            order = Family(user_id=signed.user_id, family_id=signed.family_id)
            await tokens.end.one(database, order)
    await tokens.forget.one(database, body.token)
    return Revoked()


class EndedTokens(Record, frozen=True):
    username: str
    ended: int


@routes.delete("/tokens/{username}", raises=(UserNotFound, RoleRequired, Outranked))
async def end_tokens(database: Database, caller: Principal, username: UserKey) -> EndedTokens:
    """End all sign-ins of an account: your own, or any with `users.manage`."""
    user = await _whose(database, caller, username)
    return EndedTokens(username=username, ended=await sign_outs.end_all.one(database, user))


class EndedToken(Record, frozen=True):
    username: str
    token_id: UUID


@routes.delete(
    "/tokens/{username}/{token_id}",
    raises=(UserNotFound, RoleRequired, Outranked, TokenNotFound),
)
async def end_token(
    database: Database, caller: Principal, username: UserKey, token_id: TokenId
) -> EndedToken:
    """End one sign-in of an account."""
    user = await _whose(database, caller, username)
    await tokens.end.one(database, Family(user_id=user, family_id=token_id))
    return EndedToken(username=username, token_id=token_id)


class EndedSignIns(Reply, frozen=True):
    username: str


@routes.delete("/token/{username}", raises=(UserNotFound, RoleRequired, Outranked))
async def end_sign_ins(database: Database, caller: Principal, username: UserKey) -> EndedSignIns:
    """End all sign-ins of an account, by Intersect's older path."""
    await sign_outs.end_all.one(database, await _whose(database, caller, username))
    return EndedSignIns(username=username)


class EndedSignIn(Reply, frozen=True):
    username: str
    token_id: str
    """The value that was sent."""


@routes.delete(
    "/token/{username}/{sign_in}",
    raises=(UserNotFound, RoleRequired, Outranked, TokenNotFound),
)
async def end_sign_in(
    database: Database, vault: Vault, caller: Principal, username: UserKey, sign_in: SignInKey
) -> EndedSignIn:
    """End one sign-in of an account, by its id or, as in Intersect, by its refresh token."""
    user = await _whose(database, caller, username)
    family = await _sign_in(database, vault, user, sign_in)
    if family is None or family.user_id != user:
        raise TokenNotFound
    await tokens.end.one(database, family)
    return EndedSignIn(username=username, token_id=sign_in)


async def _sign_in(database: Database, vault: Vault, user: UUID, name: str) -> Family | None:
    """The family that an id or a refresh token names; a used token names what it began."""
    if family := parse_guid(name):
        return Family(user_id=user, family_id=family)
    if family := await tokens.family_of(database.reader, name):
        return family
    signed = shared_sign_ins.read_refresh_token(vault, name)
    return signed and Family(user_id=signed.user_id, family_id=signed.family_id)


async def _whose(database: Database, caller: Principal, username: str) -> UUID:
    """Return the account if the caller may end its tokens; reveal nothing to other callers."""
    [user] = await lookup.find_user_ids(database.reader, [username])
    own = user is not None and user == caller.user_id
    if not own and not caller.may("users.manage"):
        raise RoleRequired("users.manage")
    if user is None:
        raise UserNotFound(missing("user", username))
    if not own:
        await ranks.check(database.reader, caller, user)
    return user
