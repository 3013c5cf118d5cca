"""
Authorization requests (OpenID Connect Core, 3.1.2): read from a query string, and checked.

An unknown client or redirect URI is an error on a page of ours: a browser is sent only to an
address that is registered. Every other error is sent to the client.
"""

import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Reader
from gamekeeper.provider import client_records, keys, redirects
from gamekeeper.provider.client_records import SCOPES, RegisteredClient
from gamekeeper.provider.sessions import PlayerSession

MAX_QUERY = 8000
MAX_PARAMETERS = 50
MAX_TEXT = 1000
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
PROMPTS = frozenset({"none", "login", "consent", "select_account"})

ErrorCode = Literal[
    "invalid_request",
    "unauthorized_client",
    "access_denied",
    "unsupported_response_type",
    "invalid_scope",
    "login_required",
    "consent_required",
    "interaction_required",
    "request_not_supported",
    "request_uri_not_supported",
    "registration_not_supported",
]


NOT_SUPPORTED: dict[str, ErrorCode] = {
    "request": "request_not_supported",
    "request_uri": "request_uri_not_supported",
    "registration": "registration_not_supported",
}
"""Parameters that would change the others."""


class UnknownClient(Problem):
    """The website or program that sent you here is not registered."""


class UnknownRedirectUri(Problem):
    """The website or program that sent you here gave an address that is not registered."""


class RequestMalformed(Problem):
    """The request is too long, or has a parameter twice."""


class AuthorizationError(Problem):
    """The authorization is refused, and the client is informed by a redirect."""

    def __init__(self, address: str, error: ErrorCode) -> None:
        super().__init__(error)
        self.address = address


class AuthorizationRequest(Struct, frozen=True, kw_only=True):
    client: RegisteredClient
    redirect_uri: str
    issuer: str
    state: str | None
    nonce: str | None
    scopes: list[str]
    challenge: str | None
    prompts: frozenset[str]
    max_age: int | None
    login_hint: str
    subject: str | None
    """The account that must be signed in, by an ID token that the client has."""

    def answer(self, **about: str) -> str:
        """The address to which the browser is sent, with an answer."""
        given = {**about, **({"state": self.state} if self.state is not None else {})}
        return with_parameters(self.redirect_uri, {**given, "iss": self.issuer})

    def refusal(self, error: ErrorCode) -> AuthorizationError:
        return AuthorizationError(self.answer(error=error), error)

    def needs_sign_in(self, session: PlayerSession | None) -> bool:
        """Whether the player must enter the password."""
        if session is None or self.prompts & {"login", "select_account"}:
            return True
        if self.subject is not None and self.subject != client_records.subject_of(session.user_id):
            return True
        return self.max_age is not None and session.seconds > self.max_age

    def needs_consent(self, consented: set[str]) -> bool:
        """Whether the player must be asked, given what was agreed to before."""
        if "consent" in self.prompts:
            return True
        # Any program of the machine may listen there and call itself this launcher.
        if redirects.is_loopback_ip(self.redirect_uri):
            return True
        return self.client.asks_consent and not set(self.scopes) <= consented


def with_parameters(uri: str, parameters: Mapping[str, str]) -> str:
    """A URI with parameters added to its query."""
    mark = "&" if urlsplit(uri).query else "?"
    return f"{uri}{mark}{urlencode(parameters)}"


def fields_of(query: str) -> dict[str, str]:
    """The parameters of a query string, each at most once; raise RequestMalformed."""
    try:
        pairs = parse_qsl(
            query, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS
        )
    except ValueError:
        raise RequestMalformed from None
    fields = dict(pairs)
    if (
        len(query) > MAX_QUERY
        or len(fields) != len(pairs)
        or any("\0" in v for v in fields.values())
    ):
        raise RequestMalformed
    # RFC 6749, 3.1: a parameter without a value counts as omitted.
    return {name: value for name, value in fields.items() if value}


async def read(reader: Reader, settings: Settings, query: str) -> AuthorizationRequest:
    """The request, or raise what is wrong with it."""
    fields = fields_of(query)
    client = await client_records.registered(reader, fields.get("client_id", ""))
    if client is None:
        raise UnknownClient
    uri = fields.get("redirect_uri", "")
    if not redirects.is_registered(uri, client.redirect_uris):
        raise UnknownRedirectUri
    wanted = fields.get("scope", "").split()
    request = AuthorizationRequest(
        client=client,
        redirect_uri=uri,
        issuer=settings.openid_issuer,
        state=fields.get("state"),
        nonce=fields.get("nonce"),
        scopes=[scope for scope in SCOPES if scope in wanted and scope in client.scopes],
        challenge=fields.get("code_challenge"),
        prompts=frozenset(fields.get("prompt", "").split()),
        max_age=_max_age(fields.get("max_age")),
        login_hint=fields.get("login_hint", "")[:64],
        subject=await _hinted(reader, fields.get("id_token_hint")),
    )
    if error := _fault(request, fields):
        raise request.refusal(error)
    return request


def _fault(request: AuthorizationRequest, fields: Mapping[str, str]) -> ErrorCode | None:
    """What is wrong with a request whose client and redirect URI are known."""
    for name, error in NOT_SUPPORTED.items():
        if name in fields:
            return error
    if fields.get("response_type") != "code":
        return "unsupported_response_type" if "response_type" in fields else "invalid_request"
    if fields.get("response_mode", "query") != "query":
        return "invalid_request"
    if "openid" not in request.scopes:
        return "invalid_scope"
    if not request.prompts <= PROMPTS or ("none" in request.prompts and len(request.prompts) > 1):
        return "invalid_request"
    if request.max_age == -1 or request.subject == "":
        return "invalid_request"
    if any(len(text or "") > MAX_TEXT for text in (request.state, request.nonce)):
        return "invalid_request"
    return None if _has_good_challenge(request, fields) else "invalid_request"


def _has_good_challenge(request: AuthorizationRequest, fields: Mapping[str, str]) -> bool:
    """Whether PKCE is used as it must be: only with S256, and where the client requires it."""
    if request.challenge is None:
        return not request.client.requires_pkce and "code_challenge_method" not in fields
    is_s256 = fields.get("code_challenge_method") == "S256"
    return is_s256 and CHALLENGE.fullmatch(request.challenge) is not None


def _max_age(text: str | None) -> int | None:
    """The seconds; -1 if that is no number."""
    if text is None:
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


async def _hinted(reader: Reader, token: str | None) -> str | None:
    """The account of an ID token, expired or not; empty if it is not one of ours."""
    if token is None:
        return None
    try:
        claims = await keys.verified(reader, token)
    except keys.InvalidToken:
        return ""
    subject = claims.get("sub")
    is_ours = claims.get("iss") == reader.settings.openid_issuer
    return subject if is_ours and isinstance(subject, str) else ""


def signed_in_now(query: str) -> str:
    """The same request after a sign-in: it must not ask for another one."""
    fields = fields_of(query)
    prompts = [word for word in fields.get("prompt", "").split() if word in ("consent", "none")]
    rest = {name: value for name, value in fields.items() if name not in ("prompt", "max_age")}
    if prompts:
        rest["prompt"] = " ".join(prompts)
    return urlencode(rest)
