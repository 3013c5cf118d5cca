"""
Jobs: work that must happen after a change, entered in the same transaction as the change.

PgQueuer keeps them in PostgreSQL; `gamekeeper worker` carries them out.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from pgqueuer import AsyncpgDriver, Queries

from gamekeeper.db.database import Writer


async def enqueue(writer: Writer, kind: str, orders: Sequence[Struct]) -> None:
    """Enter one job for each order; if the transaction fails, there was never a job."""
    if orders:
        queries = Queries(AsyncpgDriver(writer.connection))
        await queries.enqueue(
            [kind] * len(orders),
            [msgspec.json.encode(order) for order in orders],
            [0] * len(orders),
        )
