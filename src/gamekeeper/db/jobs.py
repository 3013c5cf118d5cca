"""
Job queue (transactional outbox): a job is enqueued in the transaction of its change.

PgQueuer stores the jobs in PostgreSQL; `gamekeeper worker` runs them.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from pgqueuer import AsyncpgDriver, Queries

from gamekeeper.db.database import Writer


async def enqueue(writer: Writer, kind: str, orders: Sequence[Struct]) -> None:
    """Enqueue one job for each order; if the transaction fails, there is no job."""
    if orders:
        queries = Queries(AsyncpgDriver(writer.connection))
        await queries.enqueue(
            [kind] * len(orders),
            [msgspec.json.encode(order) for order in orders],
            [0] * len(orders),
        )
