"""Health checks (liveness and readiness probes), and Prometheus metrics."""

import asyncio
from contextlib import suppress
from secrets import token_bytes, token_hex
from time import monotonic
from typing import Literal

from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import exposition
from gamekeeper.core.schemas import Reply
from gamekeeper.db import retention
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.db.replicas import Replica
from gamekeeper.db.schema_files import numbered
from gamekeeper.http.load_shedding import ALWAYS
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes

routes = Routes("", roles=None)

_exposition = exposition.Exposition()

NEWEST = numbered()[-1][0]

PROBE_SECONDS = 1.0
"""Seconds after a refused write before the next probe."""
PROBE_BYTES = 16_000


class Health(Reply, frozen=True):
    status: str


class Readiness(Health, frozen=True):
    replica: Literal["none", "used", "away"]
    """`away` if there is one and everything is read from the primary."""


@routes.get("/livez", priority=ALWAYS)
async def check_liveness() -> Health:
    """The process is running; nothing else is checked."""
    return Health(status="alive")


@routes.get("/readyz", raises=(Unavailable,), priority=ALWAYS)
async def check_readiness(database: Database, reader: Reader) -> Readiness:
    """The database is up, accepts changes and has the schema of this version."""
    try:
        async with asyncio.timeout(2):
            await _check_schema(database.reader)
            await _check_changes(database)
    except TimeoutError:
        raise Unavailable from None
    replica = reader.standby.state if isinstance(reader, Replica) else "none"
    return Readiness(status="ready", replica=replica)


async def _check_schema(reader: Reader) -> None:
    [row] = await reader.rows(
        """
        SELECT (SELECT max(name) FROM migrations) AS newest, pg_is_in_recovery() AS is_standby
        """
    )
    if row["newest"] is None or row["newest"] < NEWEST:
        raise Unavailable("The schema is older than this version; run: gamekeeper migrate")
    if row["is_standby"]:
        raise Unavailable("The database is a standby server and accepts no changes.")


class _Undone(Exception):
    """Rolls the probe's transaction back: the write succeeded, and is not wanted."""


async def _check_changes(database: Database) -> None:
    """Raise Unavailable if the last write was refused and a new probe is refused too."""
    if database.refused_at is None:
        return
    if monotonic() - database.refused_at > PROBE_SECONDS:
        with suppress(_Undone):
            await database.write(_probe)
        database.refused_at = None
        return
    raise Unavailable("The database accepts no changes at the moment.")


async def _probe(writer: Writer) -> None:
    """Write enough to need a new disk page, then roll back."""
    await writer.run(
        """
        INSERT INTO replies (caller, key, fingerprint, body) VALUES ('readiness', $1, '', $2)
        """,
        token_hex(16),
        token_bytes(PROBE_BYTES),
    )
    raise _Undone


@routes.get("/metrics", priority=ALWAYS)
async def get_metrics(database: Database) -> Response:
    """Metrics for Prometheus."""
    await retention.measure(database.reader)
    return Response(body=await _exposition.text(), content_type=exposition.CONTENT_TYPE)
