"""
The console: one page for every address below /console, and the files that it loads.

`just console` builds them into static/console; a wheel brings them. The page is the same for
everybody: who may see what, the API decides.
"""

import base64
import os
from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from jinja2 import Environment, StrictUndefined, Template
from msgspec import Struct

from gamekeeper.core.errors import RouteNotFound
from gamekeeper.core.schemas import Reply
from gamekeeper.core.settings import Settings
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes

routes = Routes("/console", roles=None)

BUILT = Path(__file__).parent / "static" / "console"
HTML = "text/html; charset=utf-8"
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The better first, with the suffix of the file."""

FOR_EVER = b"public, max-age=31536000, immutable"
"""The name of a file has the hash of its content in it."""

# The page makes <style> elements of its own, which carry the nonce; its scripts are files.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'self'; "
    "form-action 'none'; frame-ancestors 'none'"
)
NOT_BUILT = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>No console yet</title>
<h1>The console is not built</h1>
<p>This is a checkout. Run <code>just console</code> once, then reload.
A package that was installed with pip has the console in it.</p></html>
"""


class ConsoleConfig(Reply, frozen=True):
    """The configuration of the page before its first API request."""

    root: str
    game: str
    environment: str
    environment_color: str
    required_reasons: list[str]
    nonce: str


class ConsoleFile(Struct, frozen=True):
    kind: str
    content: bytes
    packed: Mapping[str, bytes]
    """The content by encoding."""


@routes.get("/assets/{name}")
async def console_file(request: Request, name: str) -> Response:
    """A file of the console; its name changes with its content."""
    file = _files(_built_at()).get(name)
    if file is None:
        raise RouteNotFound
    # A browser that wants none of an encoding leaves it out, so weights are not read.
    accepted = {
        part.strip() for part in request.headers.get("accept-encoding", "").lower().split(",")
    }
    headers = [("Vary", "Accept-Encoding")]
    body = file.content
    for encoding, packed in file.packed.items():
        if encoding in accepted:
            body = packed
            headers.append(("Content-Encoding", encoding))
            break
    return Response(body=body, content_type=file.kind, cache_control=FOR_EVER, headers=headers)


def built_file(beginning: str) -> bytes:
    """The content of the file whose name, before its hash, is `beginning`."""
    for name, file in _files(_built_at()).items():
        if name.startswith(beginning):
            return file.content
    raise RouteNotFound


async def _page(settings: Settings) -> Response:
    page = _template(_built_at())
    if page is None:
        return Response(
            body=NOT_BUILT.encode(), content_type=HTML, status=HTTPStatus.SERVICE_UNAVAILABLE
        )
    nonce = base64.b64encode(os.urandom(16)).decode()
    config = ConsoleConfig(
        root=urlsplit(settings.public_url).path.rstrip("/"),
        game=settings.game_name,
        environment=settings.environment_name,
        environment_color=settings.environment_color,
        required_reasons=sorted(settings.reasons),
        nonce=nonce,
    )
    body = page.render(config=msgspec.json.encode(config).decode(), root=config.root)
    headers = [
        ("Content-Security-Policy", POLICY.format(nonce=nonce)),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
    ]
    return Response(body=body.encode(), content_type=HTML, headers=headers)


# The page itself finds out what an address means; the deepest has two parts.
async def console_start(settings: Settings) -> Response:
    """The page of the console."""
    return await _page(settings)


async def console_screen(settings: Settings, screen: str) -> Response:
    """The page of the console, at one of its screens."""
    return await _page(settings)


async def console_subject(settings: Settings, screen: str, subject: str) -> Response:
    """The page of the console, at somebody or something."""
    return await _page(settings)


routes.get("")(console_start)
routes.get("/{screen}")(console_screen)
routes.get("/{screen}/{subject}")(console_subject)


def _built_at() -> int:
    """When the console was built, so that a new build needs no restart; 0: never."""
    try:
        return (BUILT / "index.html").stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=1)
def _template(built_at: int) -> Template | None:
    if not built_at:
        return None
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string((BUILT / "index.html").read_text("utf-8"))


@lru_cache(maxsize=1)
def _files(built_at: int) -> dict[str, ConsoleFile]:
    """Every file, by its name; a name is looked up here, and never in the file system."""
    if not built_at:
        return {}
    found = {entry.name: entry for entry in (BUILT / "assets").iterdir()}
    return {
        name: ConsoleFile(
            TYPES[kind],
            entry.read_bytes(),
            {
                encoding: found[name + suffix].read_bytes()
                for encoding, suffix in ENCODINGS.items()
                if name + suffix in found
            },
        )
        for name, entry in found.items()
        if (kind := name.rpartition(".")[2]) in TYPES
    }
