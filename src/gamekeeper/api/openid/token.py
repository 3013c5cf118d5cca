"""Tokens: exchanged by clients, revoked, and used for user info."""

from base64 import b64decode
from binascii import Error as BadBase64
from typing import Any, Literal
from urllib.parse import unquote_plus

import msgspec
from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Invalid, Problem, Unauthorized
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, Reader
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import JSON, Response
from gamekeeper.http.routing import Routes
from gamekeeper.provider import (
    bearers,
    claims,
    client_records,
    refreshes,
    sign_ins,
    tokens,
)
from gamekeeper.provider.bearers import TokenRevocation
from gamekeeper.provider.client_records import RegisteredClient
from gamekeeper.provider.refreshes import Refresh, ScopeNotGranted
from gamekeeper.provider.sign_ins import Exchange, InvalidGrant

routes = Routes("", roles=None)


OAuthCode = Literal[
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "invalid_scope",
    "unsupported_grant_type",
]


class OAuthFailure(Struct, frozen=True):
    """The shape that RFC 6749 gives to a refusal."""

    error: OAuthCode
    error_description: str


class TokenRefused(Invalid):
    """The request for tokens is refused; the error is one of RFC 6749's."""

    def __init__(self, error: OAuthCode, description: str) -> None:
        super().__init__(description)
        self.error: OAuthCode = error


class InvalidClient(Unauthorized):
    """The client or its secret is unknown, or the client authenticates in the wrong way."""

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("WWW-Authenticate", 'Basic realm="openid"')]


def _as_rfc_6749(problem: Problem) -> OAuthFailure | None:
    """Translate a problem into an RFC 6749 error response."""
    if isinstance(problem, TokenRefused):
        return OAuthFailure(problem.error, str(problem))
    if isinstance(problem, InvalidGrant):
        return OAuthFailure("invalid_grant", InvalidGrant.__doc__ or "")
    if isinstance(problem, ScopeNotGranted):
        return OAuthFailure("invalid_scope", ScopeNotGranted.__doc__ or "")
    if isinstance(problem, InvalidClient):
        return OAuthFailure("invalid_client", InvalidClient.__doc__ or "")
    if isinstance(problem, Invalid):
        return OAuthFailure("invalid_request", str(problem))
    return None


class TokenForm(Body, frozen=True, rename=None):
    grant_type: str | None = None
    code: str | None = None
    redirect_uri: str | None = None
    code_verifier: str | None = None
    refresh_token: str | None = None
    scope: str | None = None
    client_id: str | None = None
    client_secret: str | None = None


@routes.post("/openid/token", failure=_as_rfc_6749)
async def issue_tokens(
    database: Database, vault: Vault, request: Request, body: TokenForm
) -> Response:
    """Exchange an authorization code or a refresh token for tokens."""
    client = await _client(database.reader, request, body.client_id, body.client_secret)
    refreshed = body.grant_type == "refresh_token"
    if refreshed:
        issued = await _refreshed(database, vault, client, body)
    elif body.grant_type == "authorization_code":
        issued = await _exchanged(database, client, body)
    elif body.grant_type is None:
        raise TokenRefused("invalid_request", "'grant_type' is required.")
    else:
        raise TokenRefused("unsupported_grant_type", "Use authorization_code or refresh_token.")
    token = await tokens.id_token(database, vault, client.id, issued, refreshed=refreshed)
    if token is None:
        raise InvalidGrant
    answer: dict[str, Any] = {
        "access_token": str(issued.access),
        "token_type": "Bearer",
        "expires_in": issued.expires_in,
        "id_token": token,
        "scope": " ".join(issued.scopes),
    }
    if issued.refresh:
        answer["refresh_token"] = str(issued.refresh)
    return Response(body=msgspec.json.encode(answer), headers=[("Pragma", "no-cache")])


async def _exchanged(
    database: Database, client: RegisteredClient, body: TokenForm
) -> sign_ins.Issued:
    if body.code is None:
        raise TokenRefused("invalid_request", "'code' is required.")
    if credentials.kind_of(body.code) != "gkoc":
        raise InvalidGrant
    order = Exchange(
        code=Hidden(body.code),
        client_id=client.id,
        redirect_uri=body.redirect_uri,
        verifier=Hidden(body.code_verifier) if body.code_verifier else None,
        access=credentials.new_credential("gkoa"),
        refresh=credentials.new_credential("gkor"),
    )
    return await sign_ins.exchange.one(database, order)


async def _refreshed(
    database: Database, vault: Vault, client: RegisteredClient, body: TokenForm
) -> sign_ins.Issued:
    if body.refresh_token is None:
        raise TokenRefused("invalid_request", "'refresh_token' is required.")
    if credentials.kind_of(body.refresh_token) != "gkor":
        raise InvalidGrant
    access, refresh = refreshes.successor(vault, body.refresh_token)
    order = Refresh(
        token=Hidden(body.refresh_token),
        client_id=client.id,
        scopes=frozenset((body.scope or "").split()),
        access=access,
        refresh=refresh,
    )
    return await refreshes.refresh.one(database, order)


async def _client(
    reader: Reader, request: Request, sent_id: str | None, sent_secret: str | None
) -> RegisteredClient:
    """The client that makes a request, by its secret unless it is public."""
    basic = _basic(request)
    if basic is not None and (sent_secret is not None or sent_id not in (None, basic[0])):
        raise TokenRefused("invalid_request", "Send the client's secret in one way only.")
    client_id, secret = basic or (sent_id, sent_secret)
    client = await client_records.registered(reader, client_id or "")
    if client is None:
        raise InvalidClient
    if client.secret_hash is None:
        if secret:
            raise InvalidClient
    elif not client.knows(secret or ""):
        raise InvalidClient
    return client


def _basic(request: Request) -> tuple[str, str] | None:
    """The client's id and secret of the Authorization header (RFC 6749, 2.3.1)."""
    scheme, _, encoded = request.headers.get("authorization", "").strip().partition(" ")
    if not scheme:
        return None
    try:
        text = b64decode(encoded.strip(), validate=True).decode()
    except (BadBase64, ValueError):
        raise InvalidClient from None
    name, mark, secret = text.partition(":")
    if scheme.lower() != "basic" or not mark:
        raise InvalidClient
    return unquote_plus(name), unquote_plus(secret)


class RevocationForm(Body, frozen=True, rename=None):
    token: str | None = None
    client_id: str | None = None
    client_secret: str | None = None


@routes.post("/openid/revoke", failure=_as_rfc_6749)
async def revoke(database: Database, request: Request, body: RevocationForm) -> Response:
    """Revoke a token of the client (RFC 7009); a token that does not exist is no error."""
    client = await _client(database.reader, request, body.client_id, body.client_secret)
    if body.token is None:
        raise TokenRefused("invalid_request", "'token' is required.")
    order = TokenRevocation(token=Hidden(body.token), client_id=client.id)
    await bearers.revoke.one(database, order)
    return Response(body=b"{}")


class BearerForm(Body, frozen=True, rename=None):
    access_token: str | None = None


class InvalidBearer(Unauthorized):
    """The access token is wrong or has expired, or the sign-in has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("WWW-Authenticate", 'Bearer error="invalid_token"')]


@routes.get("/openid/userinfo", head=False)
async def user_info(database: Database, request: Request) -> Response:
    """The claims of the account whose access token it is."""
    return await _user_info(database.reader, request.bearer)


@routes.post("/openid/userinfo")
async def user_info_by_form(database: Database, request: Request, body: BearerForm) -> Response:
    """The same, with the token in the header or in the body."""
    return await _user_info(database.reader, request.bearer or body.access_token or "")


async def _user_info(reader: Reader, token: str) -> Response:
    bearer = await bearers.bearer(reader, token)
    if bearer is None:
        raise InvalidBearer
    account = await claims.of_account(reader, bearer.user_id, bearer.scopes)
    if account is None:
        raise InvalidBearer
    if "characters" in bearer.scopes:
        account["characters"] = await claims.characters(reader, bearer.user_id)
    return Response(body=msgspec.json.encode(account), content_type=JSON)
