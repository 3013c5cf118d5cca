"""The door of webhooks: an application with the secrets of three shops, and signed deliveries."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from tests.orders.counter import SHOPS, Counter, good
from tests.orders.payloads import (
    OWN_SECRET,
    STRIPE_SECRET,
    TEBEX_SECRET,
    encoded,
    own_headers,
    stripe_headers,
    tebex_headers,
)

SIGNED: dict[str, Callable[..., dict[str, str]]] = {
    "tebex": tebex_headers,
    "stripe": stripe_headers,
    "myshop": own_headers,
}
PRODUCTS = {"tebex": "5001", "stripe": "potion-pack", "myshop": "pack"}
PACK = 5
"""Potions in a pack."""


@asynccontextmanager
async def shop_door(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    """The application, called by anybody."""
    configured = structs.replace(
        settings,
        # A test sends more from its one address than a shop does; it would wait for the limit.
        anonymous_rate=10_000,
        tebex_secrets=Hidden(f"an-older-secret, {TEBEX_SECRET}"),
        stripe_secrets=Hidden(STRIPE_SECRET),
        shop_secrets=Hidden(f"myshop:{OWN_SECRET}"),
    )
    app = App(configured)
    await app.start()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        yield client
    await app.stop()


async def counter_with_products(client: httpx2.AsyncClient, database: Database) -> Counter:
    """A product in each shop."""
    found = await Counter.make(client, database)
    for shop, product in PRODUCTS.items():
        items = [{"itemid": str(found.potion), "quantity": PACK}]
        path = f"{SHOPS}/{shop}/products/{product}"
        good(await client.put(path, json={"name": "Pack", "items": items}))
    return found


async def send(
    door: httpx2.AsyncClient, shop: str, event: dict[str, Any], **about: Any
) -> httpx2.Response:
    """A delivery that the shop has signed; `about` goes to the signature."""
    raw = encoded(event)
    return await deliver(door, shop, raw, SIGNED[shop](raw, **about))


async def deliver(
    door: httpx2.AsyncClient, shop: str, raw: bytes, headers: dict[str, str]
) -> httpx2.Response:
    headers = headers | {"content-type": "application/json; charset=utf-8"}
    return await door.post(f"{SHOPS}/{shop}/events", content=raw, headers=headers)
