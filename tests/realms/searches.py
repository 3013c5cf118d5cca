"""A sketch: one search over several realms, each asked for itself."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx2
from msgspec import Struct

DEADLINE_SECONDS = 2.0


class Found(Struct, frozen=True):
    values: list[dict[str, Any]]
    """What was found, with the realm; the best of each realm first."""
    missing: list[str]
    """The realms that did not answer: the result is incomplete, and says so."""


async def search(realms: Mapping[str, httpx2.AsyncClient], text: str) -> Found:
    asked = [_ask(client, text) for client in realms.values()]
    answers = dict(zip(realms, await asyncio.gather(*asked), strict=True))
    ranked = [
        (place, {"Realm": realm, **value})
        for realm, values in answers.items()
        for place, value in enumerate(values or ())
    ]
    values = [value for _, value in sorted(ranked, key=lambda pair: pair[0])]
    return Found(values, [realm for realm, answer in answers.items() if answer is None])


async def _ask(client: httpx2.AsyncClient, text: str) -> list[dict[str, Any]] | None:
    try:
        answer = await client.get(
            "/api/v1/players", params={"search": text}, timeout=DEADLINE_SECONDS
        )
        return answer.raise_for_status().json()["Values"]
    except httpx2.HTTPError:
        return None
