"""Whether we are alive, whether we can serve, and what we have counted."""

import asyncio
from typing import Literal

from gamekeeper import metrics, privileges
from gamekeeper.crowding import ALWAYS
from gamekeeper.database import Database, Reader
from gamekeeper.errors import Unavailable
from gamekeeper.migrate import numbered
from gamekeeper.replicas import Replica
from gamekeeper.routing import Routes
from gamekeeper.shapes import Reply
from gamekeeper.web import Answer

routes = Routes("", roles=None)

NEWEST = numbered()[-1][0]


class Health(Reply, frozen=True):
    status: str


class Readiness(Health, frozen=True):
    history: Literal["append-only", "alterable"]
    replica: Literal["none", "used", "away"]


@routes.get("/livez", share=ALWAYS)
async def live() -> Health:
    """The process runs; nothing else is looked at."""
    return Health(status="alive")


@routes.get("/readyz", raises=(Unavailable,), share=ALWAYS)
async def ready(database: Database, reader: Reader) -> Readiness:
    """The database answers and has the schema this version needs; a replica need not."""
    try:
        async with asyncio.timeout(2):
            newest = await database.reader.value("SELECT max(name) FROM migrations")
            alterable = await privileges.is_alterable(database.reader)
    except TimeoutError:
        raise Unavailable from None
    if newest is None or newest < NEWEST:
        raise Unavailable("The schema is older than this version; run: gamekeeper migrate")
    return Readiness(
        status="ready",
        history="alterable" if alterable else "append-only",
        replica=reader.standby.state if isinstance(reader, Replica) else "none",
    )


@routes.get("/metrics", share=ALWAYS)
async def exposition() -> Answer:
    """What has been counted, for Prometheus."""
    return Answer(body=metrics.exposition(), content_type=metrics.CONTENT_TYPE)
