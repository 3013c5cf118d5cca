"""
Expiry of commands: a background job that marks what nobody fetched or answered in time.

Only for speed: every query judges by the clock. But what is marked leaves the indexes in which
servers look for commands.
"""

from typing import LiteralString

from gamekeeper.db.database import Database, Writer

AT_A_TIME = 1000


async def sweep(database: Database) -> int:
    """Mark all commands that have expired; returns how many."""
    total, marked = 0, AT_A_TIME
    while marked == AT_A_TIME:
        marked = await database.write(_mark)
        total += marked
    return total


async def _mark(writer: Writer) -> int:
    return await writer.run(MARK, AT_A_TIME)


MARK: LiteralString = """
    UPDATE commands SET state = 'expired'
     WHERE id IN (SELECT id FROM commands
                   WHERE state IN ('waiting', 'delivered') AND expires_at <= clock_timestamp()
                   ORDER BY expires_at LIMIT $1
                     FOR UPDATE SKIP LOCKED)
"""
