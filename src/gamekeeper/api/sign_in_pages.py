"""
The addresses that a browser visits on its way to another service and back.

They show nothing: each answers with a redirect (303), which no page of another site can read, and
sends no address on (Referrer-Policy). The answer of the service counts only in the browser that
opened the flow, by a cookie; each source has an address of its own, so an answer of one issuer
cannot be used for another (mix-up).
"""

import re
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import parse_qsl

import structlog

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Problem
from gamekeeper.core.origins import is_for_development
from gamekeeper.core.schemas import Body, Query
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.users.identities import flows
from gamekeeper.users.identities.flows import VisitedFlow
from gamekeeper.users.identities.sources.proofs import FlowSecrets, ProofRefused
from gamekeeper.users.identities.sources.registry import Sources

log = structlog.get_logger()

routes = Routes("/sign-in", roles=None)

COOKIE = "__Host-gamekeeper-flow"
DEVELOPMENT_COOKIE = "gamekeeper-flow-dev"
VALUE = re.compile(r"[A-Za-z0-9_-]{43}")
COOKIE_SECONDS = 600
MAX_ANSWER_LENGTH = 16 * 1024
PRIVATE = [
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Frame-Options", "DENY"),
]


class OpenedQuery(Query, frozen=True):
    ticket: str = ""


class PostedAnswer(Body, frozen=True):
    """The fields are read from the body as it was sent: their names are case-sensitive."""


@routes.get("/{source}", head=False, calls_out=True)
async def open_sign_in(
    database: Database,
    vault: Vault,
    settings: Settings,
    sources: Sources,
    request: Request,
    source: str,
    query: OpenedQuery,
) -> Response:
    """Bind a flow to this browser, and send it to the other service."""
    service = sources.source(source)
    opened = await flows.open_flow(database, source, query.ticket, _browser(settings, request))
    secrets = FlowSecrets.of(vault, opened.state, _callback(settings, source))
    try:
        url = await service.authorization_url(secrets)
    except Problem as refusal:
        return _returned(source, opened.visit, refusal)
    cookie = _cookie(settings, opened.browser, is_posted=service.is_posted)
    return _redirect(url, cookie)


@routes.get("/{source}/callback", head=False, calls_out=True)
async def receive_answer(
    database: Database,
    vault: Vault,
    settings: Settings,
    sources: Sources,
    request: Request,
    source: str,
) -> Response:
    """The answer of the other service, in the query string."""
    answer = _parameters(request.query_string)
    return await _finish(database, vault, settings, sources, request, source, answer)


@routes.post(
    "/{source}/callback",
    keeps_body=True,
    takes_key=False,
    calls_out=True,
    largest=MAX_ANSWER_LENGTH,
)
async def receive_posted_answer(
    database: Database,
    vault: Vault,
    settings: Settings,
    sources: Sources,
    request: Request,
    source: str,
    body: PostedAnswer,
) -> Response:
    """The answer of the other service as a form (form_post), such as that of Apple."""
    if not sources.source(source).is_posted:
        raise ProofRefused
    answer = _parameters(request.raw_body)
    return await _finish(database, vault, settings, sources, request, source, answer)


async def _finish(
    database: Database,
    vault: Vault,
    settings: Settings,
    sources: Sources,
    request: Request,
    source: str,
    answer: Mapping[str, str],
) -> Response:
    service = sources.source(source)
    state, browser = answer.get("state", ""), _browser(settings, request)
    flow = await flows.claim(database, source, state, browser)
    try:
        person = await service.prove(
            FlowSecrets.of(vault, state, _callback(settings, source)), answer
        )
        return _redirect(await flows.prove(database, vault, flow, person))
    except Problem as refusal:
        return _returned(source, flow, refusal)


def _returned(source: str, flow: VisitedFlow, refusal: Problem) -> Response:
    """Send the browser back to the page where the flow ends, which shows the error."""
    log.info("sign_in_refused", source=source, code=refusal.code)
    return _redirect(flows.returned(flow, error=refusal.code))


def _parameters(raw: bytes) -> dict[str, str]:
    """The parameters of an answer; raises ProofRefused if one comes twice."""
    if len(raw) > MAX_ANSWER_LENGTH:
        raise ProofRefused
    try:
        pairs = parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=40)
    except ValueError:
        raise ProofRefused from None
    if len({name for name, _ in pairs}) != len(pairs):
        raise ProofRefused
    return dict(pairs)


def _callback(settings: Settings, source: str) -> str:
    return f"{settings.public_url.rstrip('/')}/sign-in/{source}/callback"


def _browser(settings: Settings, request: Request) -> str:
    """The secret of the browser, or an empty string."""
    name = _cookie_name(settings)
    for part in request.headers.get("cookie", "").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value if VALUE.fullmatch(value) else ""
    return ""


def _cookie_name(settings: Settings) -> str:
    return DEVELOPMENT_COOKIE if is_for_development(settings.public_url) else COOKIE


def _cookie(settings: Settings, value: str, *, is_posted: bool) -> tuple[str, str]:
    """The cookie that the answer needs; a cross-site POST gets it only with SameSite=None."""
    name = _cookie_name(settings)
    site = "; SameSite=None" if is_posted else "; SameSite=Lax"
    secure = "; Secure" if name == COOKIE else ""
    about = f"Path=/; HttpOnly; Max-Age={COOKIE_SECONDS}"
    return "Set-Cookie", f"{name}={value}; {about}{site}{secure}"


def _redirect(url: str, *headers: tuple[str, str]) -> Response:
    return Response(
        body=b"",
        status=HTTPStatus.SEE_OTHER,
        content_type="text/plain; charset=utf-8",
        headers=[("Location", url), *PRIVATE, *headers],
    )
