"""Retries of delivery: the worker delivers lines that waited, once they can be delivered."""

from typing import LiteralString
from uuid import UUID

from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.orders import delivery, storage

AT_ONCE = 20
MAX_ROUNDS = 50
WORKER = AuditContext(actor="system", name="orders")


async def deliver_waiting(database: Database) -> int:
    """Try the orders that wait, those first that were not tried for longest; returns how many."""
    began = await database.reader.value("SELECT now()")
    tried = 0
    for _ in range(MAX_ROUNDS):
        rows = await database.reader.rows(DUE, began, AT_ONCE)
        if not rows:
            break
        due = [row["order_id"] for row in rows]
        await database.write(lambda writer, due=due: _try(writer, due))
        tried += len(due)
    return tried


async def _try(writer: Writer, due: list[UUID]) -> None:
    orders = await storage.lock_ids(writer, due)
    if orders:
        await delivery.deliver(writer, WORKER, orders)
        await storage.save(writer, *orders)
    # Also those that another transaction has locked: each is tried once in a run.
    await writer.run(
        "UPDATE order_lines SET tried_at = now() WHERE order_id = ANY($1) AND state = 'waiting'",
        due,
    )


# An order without a receiver or under dispute cannot be delivered, and a claim or a verdict
# delivers it at once; so the worker does not look at those.
DUE: LiteralString = """
    SELECT line.order_id, min(tried_at) AS tried
      FROM order_lines AS line JOIN orders ON orders.id = line.order_id
     WHERE line.state = 'waiting' AND orders.state = 'waiting'
       AND (tried_at IS NULL OR tried_at < $1)
     GROUP BY 1
     ORDER BY tried NULLS FIRST
     LIMIT $2
"""
