"""Whether we are alive, whether we can serve, and what we have counted."""

import asyncio

from gamekeeper import metrics
from gamekeeper.database import Reader
from gamekeeper.errors import Unavailable
from gamekeeper.migrate import numbered
from gamekeeper.routing import Routes
from gamekeeper.shapes import Reply
from gamekeeper.web import Answer

routes = Routes("", roles=None)

NEWEST = numbered()[-1][0]


class Health(Reply, frozen=True):
    status: str


@routes.get("/livez")
async def live() -> Health:
    """The process runs; nothing else is looked at."""
    return Health(status="alive")


@routes.get("/readyz", raises=(Unavailable,))
async def ready(reader: Reader) -> Health:
    """The database answers and has the schema this version needs."""
    try:
        async with asyncio.timeout(2):
            newest = await reader.value("SELECT max(name) FROM migrations")
    except TimeoutError:
        raise Unavailable from None
    if newest is None or newest < NEWEST:
        raise Unavailable("The schema is older than this version; run: gamekeeper migrate")
    return Health(status="ready")


@routes.get("/metrics")
async def exposition() -> Answer:
    """What has been counted, for Prometheus."""
    return Answer(body=metrics.exposition(), content_type=metrics.CONTENT_TYPE)
