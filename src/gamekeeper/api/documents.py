"""
The contract to read, and the pages people see in a browser.

The pages come whole from here: nothing is fetched from anywhere else, and the
Content-Security-Policy makes the browser hold us to that.
"""

from collections.abc import Iterable
from functools import cache
from importlib import resources
from urllib.parse import urlsplit

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from gamekeeper import openapi
from gamekeeper.api.glossary import WORDS
from gamekeeper.routing import Handler, Route, Routes
from gamekeeper.settings import Settings
from gamekeeper.web import Answer

TEMPLATES = Environment(
    loader=PackageLoader("gamekeeper", "pages"), autoescape=True, undefined=StrictUndefined
)
FILES = resources.files("gamekeeper") / "pages"

HTML = "text/html; charset=utf-8"
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

# A form is sent by our script or not at all: without one, a password would end up in the URL.
STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Swagger UI writes styles into its elements and draws its icons from data: URLs.
SWAGGER = STRICT.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
    "img-src 'self'", "img-src 'self' data:"
)

SERVED = {
    "/api/docs/swagger-ui.css": "swagger/swagger-ui.css",
    "/api/docs/swagger-ui-bundle.js": "swagger/swagger-ui-bundle.js",
    "/api/docs/docs.js": "docs.js",
    "/api/docs/docs.css": "docs.css",
    "/api/docs/mark.svg": "mark.svg",
    "/reset/reset.js": "reset.js",
    "/reset/sha256.js": "sha256.js",
    "/reset/reset.css": "reset.css",
    "/reset/mark.svg": "mark.svg",
}
# What is served here and is no operation of the contract.
PAGES = frozenset({"/api/openapi.json", "/api/docs", "/reset", *SERVED})


def routes(described: Iterable[Route]) -> Routes:
    """The pages, and the document of the operations `described`."""
    operations = list(described)
    pages = Routes("", roles=None)

    @cache
    def document(server: str) -> bytes:
        return msgspec.json.encode(openapi.describe(operations, WORDS, server))

    @pages.get("/api/openapi.json")
    async def openapi_document(settings: Settings) -> Answer:
        """The contract as an OpenAPI 3.1 document."""
        return Answer(body=document(_root(settings) or "/"))

    pages.get("/api/docs")(_page("docs.html", SWAGGER))
    pages.get("/reset")(_page("reset.html", STRICT))
    for path, file in SERVED.items():
        pages.get(path)(_file(file))
    return pages


def _page(template: str, policy: str) -> Handler:
    headers = [
        ("Content-Security-Policy", policy),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
    ]

    async def page(settings: Settings) -> Answer:
        html = TEMPLATES.get_template(template).render(
            game=settings.game_name, root=_root(settings)
        )
        return Answer(body=html.encode(), content_type=HTML, headers=headers)

    return page


def _file(name: str) -> Handler:
    content = FILES.joinpath(name).read_bytes()
    kind = TYPES[name.rpartition(".")[2]]

    async def file() -> Answer:
        return Answer(body=content, content_type=kind)

    return file


def _root(settings: Settings) -> str:
    """The path in front of ours, if a proxy has put the service under one."""
    return urlsplit(settings.public_url).path.rstrip("/")
