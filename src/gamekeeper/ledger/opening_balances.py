"""
Opening balances: the sums of dropped postings, with a digest in the action that dropped them.

Verification starts from openings instead of the dropped postings, so they must be
tamper-evident too. The action is in the hash chain, and its digest covers all openings.
"""

import hashlib
from typing import LiteralString

import asyncpg

AT_ONCE = 10_000


async def digest(connection: asyncpg.Connection) -> str:
    """The SHA-256 of all openings, read as a stream; needs a transaction."""
    whole = hashlib.sha256()
    for statement in CONTENTS:
        part = hashlib.sha256()
        async for row in connection.cursor(statement, prefetch=AT_ONCE):
            part.update(row["content"])
        whole.update(part.digest())
    return whole.hexdigest()


async def fault(connection: asyncpg.Connection) -> str | None:
    """How the openings differ from those the last drop left; None if they do not."""
    beginning = await connection.fetchval("SELECT at FROM ledger_beginning")
    last = await connection.fetchrow(LAST_DROP)
    if last is None:
        return beginning and "postings are marked as dropped, but no action dropped them"
    if beginning != last["before"]:
        return (
            f"postings are marked as dropped before {beginning}, "
            f"but action {last['id']} dropped those before {last['before']}"
        )
    if last["digest"] and last["digest"] != await digest(connection):
        return f"the opening balances differ from those that action {last['id']} left"
    return None


# The server hashes each player's openings together, so it sends one row per player.
CONTENTS: tuple[LiteralString, ...] = (
    """
    SELECT record_send(ROW(player_id, seq, at)) AS content FROM opening_heads ORDER BY player_id
    """,
    """
    SELECT sha256(string_agg(
               record_send(ROW(player_id, place, inside, slot, item_id, quantity, stat_buffs,
                               bag_id)),
               '' ORDER BY place COLLATE "C", inside, slot)) AS content
      FROM openings
     GROUP BY player_id
     ORDER BY player_id
    """,
    """
    SELECT record_send(ROW(item_id, against, quantity)) AS content
      FROM opening_accounts
     ORDER BY item_id, against COLLATE "C"
    """,
)

# A drop that found no postings changed nothing, so it is skipped.
LAST_DROP: LiteralString = """
    SELECT id, (after->>'before')::timestamptz AS before, after->>'openings' AS digest
      FROM actions LEFT JOIN chain ON action_id = id
     WHERE kind = 'ledger.drop' AND (after->>'postings')::bigint > 0
     ORDER BY chain.seq DESC NULLS FIRST, position DESC NULLS LAST, at DESC, id DESC
     LIMIT 1
"""
