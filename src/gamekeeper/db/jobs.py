"""
Job queue (transactional outbox): a job is enqueued in the transaction of its change.

PgQueuer stores the jobs in PostgreSQL; `gamekeeper worker` runs them.
"""

import asyncio
from collections.abc import Sequence
from importlib import import_module

import msgspec
from msgspec import Struct

from gamekeeper.db.database import Writer


async def enqueue(writer: Writer, kind: str, orders: Sequence[Struct], priority: int = 0) -> None:
    """Enqueue one job for each order; if the transaction fails, there is no job."""
    if orders:
        # Imported here: it takes a quarter of the start-up, and few requests enqueue a job. In a
        # thread, so that requests of others are not delayed.
        await asyncio.to_thread(import_module, "pgqueuer")
        from pgqueuer import AsyncpgDriver, Queries

        queries = Queries(AsyncpgDriver(writer.connection))
        await queries.enqueue(
            [kind] * len(orders),
            [msgspec.json.encode(order) for order in orders],
            [priority] * len(orders),
        )
