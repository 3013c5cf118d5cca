"""Answers of the provider to browsers: pages in the player's language, and redirects."""

import asyncio
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from gamekeeper.api import pages
from gamekeeper.api.openid.text_keys import NOTICES
from gamekeeper.core.languages.negotiation import lookup, negotiate
from gamekeeper.core.languages.texts import texts_in
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Settings
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.provider import (
    authorization,
)
from gamekeeper.provider.authorization import (
    RequestMalformed,
)


class AnyForm(Body, frozen=True):
    """The fields are read from the request: none of them may come twice."""


class NextStep(Struct, frozen=True):
    next: str
    """The address to which the page goes."""


async def notice(
    settings: Settings,
    request: Request,
    name: str,
    *headers: tuple[str, str],
    client: str = "",
    back: str = "",
    is_fault: bool = True,
) -> Response:
    """A page that says one thing."""
    title, lead = NOTICES[name]
    status = HTTPStatus.BAD_REQUEST if is_fault and not back else HTTPStatus.OK
    return await page(
        settings,
        request,
        "openid_notice.html",
        *headers,
        status=status,
        title=title,
        lead=lead,
        client=client,
        back=back,
    )


async def page(
    settings: Settings,
    request: Request,
    template: str,
    *headers: tuple[str, str],
    status: HTTPStatus = HTTPStatus.OK,
    **facts: object,
) -> Response:
    accepted = request.headers.get("accept-language", "")
    language = lookup(_asked_language(request)) or negotiate(accepted, settings.language)
    texts = await asyncio.to_thread(texts_in, language)
    made = pages.rendered(
        template,
        pages.STRICT,
        [("Content-Language", language), ("Vary", "Accept-Language, Cookie"), *headers],
        texts=texts,
        script_texts=texts.below("openid.script.", "common.", "problem."),
        game=settings.game_name,
        root=pages.root_of(settings),
        **facts,
    )
    return msgspec.structs.replace(made, status=status)


def _asked_language(request: Request) -> str:
    """The first language that the client asks for (`ui_locales`)."""
    with suppress(RequestMalformed):
        fields = authorization.fields_of(request.query_string.decode("latin-1"))
        return next(iter(fields.get("ui_locales", "").split()), "")
    return ""


async def by_query(settings: Settings, request: Request, path: str) -> Response:
    """A redirect to a path of ours with the fields of the form as its query."""
    try:
        # Not the body itself: it may have line ends, which would end the header.
        query = urlencode(authorization.fields_of(request.raw_body.decode("latin-1")))
    except RequestMalformed as problem:
        return await notice(settings, request, problem.code)
    return redirect(f"{settings.openid_issuer}{path}?{query}")


def redirect(address: str, *headers: tuple[str, str]) -> Response:
    return Response(
        body=b"",
        status=HTTPStatus.SEE_OTHER,
        headers=[("Location", address), ("Referrer-Policy", "no-referrer"), *headers],
    )


def step(address: str, *headers: tuple[str, str]) -> Response:
    return Response(body=msgspec.json.encode(NextStep(next=address)), headers=list(headers))
