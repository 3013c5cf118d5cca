"""
The OpenAPI document, Swagger UI, and the pages of resets, email verification and appeals.

Players read the last three in their language: that of the link (`?language=de`), else of the
browser (Accept-Language), else the operator's.

The pages load nothing from other origins, and the Content-Security-Policy makes the
browser enforce that.
"""

import asyncio
import gzip
import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from importlib import resources
from urllib.parse import urlsplit

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct

from gamekeeper.api import console, sign_in_pages
from gamekeeper.api import document as api_document
from gamekeeper.core.languages.negotiation import lookup, negotiate
from gamekeeper.core.languages.texts import texts_in
from gamekeeper.core.schemas import Query
from gamekeeper.core.settings import Settings
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import JSON, Response
from gamekeeper.http.routing import Handler, Route, Routes

GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))", re.IGNORECASE)

TEMPLATES = Environment(
    loader=PackageLoader("gamekeeper.api", "static"), autoescape=True, undefined=StrictUndefined
)
TEMPLATES.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": True}
FILES = resources.files("gamekeeper.api") / "static"

HTML = "text/html; charset=utf-8"
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

# Only our script submits forms: without it, a native submit would put a password in the URL.
STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Swagger UI uses inline styles and icons from data: URLs.
SWAGGER = STRICT.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
    "img-src 'self'", "img-src 'self' data:"
)

PAGES_WITH_FONTS = ("/api/docs", "/reset", "/verify", "/appeal")
SERVED = {
    "/api/docs/swagger-ui.css": "swagger/swagger-ui.css",
    "/api/docs/swagger-ui-bundle.js": "swagger/swagger-ui-bundle.js",
    "/api/docs/docs.js": "docs.js",
    "/api/docs/docs.css": "docs.css",
    "/api/docs/mark.svg": "mark.svg",
    "/reset/reset.js": "reset.js",
    "/reset/sha256.js": "sha256.js",
    "/reset/code.js": "code.js",
    "/reset/texts.js": "texts.js",
    "/reset/card.css": "card.css",
    "/reset/mark.svg": "mark.svg",
    "/verify/verify.js": "verify.js",
    "/verify/code.js": "code.js",
    "/verify/texts.js": "texts.js",
    "/verify/card.css": "card.css",
    "/verify/mark.svg": "mark.svg",
    "/appeal/appeal.js": "appeal.js",
    "/appeal/code.js": "code.js",
    "/appeal/texts.js": "texts.js",
    "/appeal/card.css": "card.css",
    "/appeal/appeal.css": "appeal.css",
    "/appeal/mark.svg": "mark.svg",
    **{f"{page}/fonts.css": "fonts.css" for page in PAGES_WITH_FONTS},
}
# Beside each page, so that a proxy may hide the console from players.
FONTS = {
    f"{page}/{name}.woff2": name
    for page in PAGES_WITH_FONTS
    for name in ("inter-latin", "inter-latin-ext", "inter-cyrillic")
}
# Paths served here that are not operations of the contract.
PAGES = frozenset(
    {"/", "/api/openapi.json", "/api/docs", "/reset", "/verify", "/appeal", *SERVED, *FONTS}
)
PAGES |= {route.path for route in (*console.routes.routes, *sign_in_pages.routes.routes)}


def routes(described: Iterable[Route]) -> Routes:
    """The routes of the pages, and of the OpenAPI document of the operations `described`."""
    operations = list(described)
    pages = Routes("", roles=None)

    @cache
    def document(server: str) -> bytes:
        return msgspec.json.encode(api_document.describe(operations, server))

    @pages.get("/api/openapi.json")
    async def openapi_document(settings: Settings, request: Request) -> Response:
        """The contract as an OpenAPI 3.1 document."""
        return await _cacheable(document(root_of(settings) or "/"), JSON, request)

    pages.get("/")(_index)
    pages.get("/api/docs")(_page("docs.html", SWAGGER))
    pages.get("/reset")(_translated("reset", STRICT))
    pages.get("/verify")(_translated("verify", STRICT))
    pages.get("/appeal")(_translated("appeal", STRICT))
    for path, file in SERVED.items():
        pages.get(path)(static_file(file))
    for path, name in FONTS.items():
        pages.get(path)(font_file(name))
    return pages


async def _index(settings: Settings, request: Request) -> Response:
    """Redirect browsers to the documentation; tell programs where it is."""
    root = root_of(settings)
    places = {"Documentation": f"{root}/api/docs", "OpenApi": f"{root}/api/openapi.json"}
    about = [("Vary", "Accept")]
    status = HTTPStatus.OK
    if "text/html" in request.headers.get("accept", ""):
        status = HTTPStatus.TEMPORARY_REDIRECT
        about.append(("Location", places["Documentation"]))
    return Response(
        body=msgspec.json.encode({"Service": "Gamekeeper"} | places), status=status, headers=about
    )


def _page(template: str, policy: str) -> Handler:
    async def page(settings: Settings) -> Response:
        return rendered(template, policy, [], game=settings.game_name, root=root_of(settings))

    return page


class PageQuery(Query, frozen=True):
    language: str = ""
    """The language of the page; one that there is not counts as absent."""


def _translated(name: str, policy: str) -> Handler:
    async def page(settings: Settings, request: Request, query: PageQuery) -> Response:
        accepted = request.headers.get("accept-language", "")
        language = lookup(query.language) or negotiate(accepted, settings.language)
        texts = await asyncio.to_thread(texts_in, language)
        return rendered(
            f"{name}.html",
            policy,
            [("Content-Language", language), ("Vary", "Accept-Language")],
            texts=texts,
            script_texts=texts.below(f"{name}.", "common.", "problem."),
            game=settings.game_name,
            root=root_of(settings),
        )

    return page


def rendered(
    template: str, policy: str, headers: list[tuple[str, str]], **facts: object
) -> Response:
    html = TEMPLATES.get_template(template).render(facts)
    return Response(
        body=html.encode(),
        content_type=HTML,
        headers=[
            ("Content-Security-Policy", policy),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            *headers,
        ],
    )


def static_file(name: str) -> Handler:
    content = FILES.joinpath(name).read_bytes()
    kind = TYPES[name.rpartition(".")[2]]

    async def file(request: Request) -> Response:
        return await _cacheable(content, kind, request)

    return file


def font_file(name: str) -> Handler:
    async def font(request: Request) -> Response:
        return await _cacheable(console.built_file(f"{name}-wght-normal-"), "font/woff2", request)

    return font


class Packed(Struct, frozen=True):
    tag: str
    compressed: bytes


@cache
def _packed(content: bytes) -> Packed:
    tag = sha256(content).hexdigest()[:32]
    return Packed(f'W/"{tag}"', gzip.compress(content, mtime=0))


async def _cacheable(content: bytes, kind: str, request: Request) -> Response:
    """A static document: compressed once, with ETag (304 if the client has it)."""
    # The first compression is slow, so it runs in a thread and not on the event loop.
    packed = await asyncio.to_thread(_packed, content)
    about = [("ETag", packed.tag), ("Vary", "Accept-Encoding")]
    status, body = HTTPStatus.OK, content
    if packed.tag in request.headers.get("if-none-match", ""):
        status, body = HTTPStatus.NOT_MODIFIED, b""
    elif GZIP.search(request.headers.get("accept-encoding", "")):
        body = packed.compressed
        about.append(("Content-Encoding", "gzip"))
    return Response(
        body=body, status=status, content_type=kind, cache_control=b"no-cache", headers=about
    )


def root_of(settings: Settings) -> str:
    """The path prefix, if a reverse proxy serves us under one."""
    return urlsplit(settings.public_url).path.rstrip("/")
