"""
Opening balances: what dropped postings came to, with a digest in the action that dropped them.

Openings take the place of postings in every proof, so they are as tempting to alter.
The action is in the chain; so is, by its digest, all that the proof goes on from.
"""

import hashlib
from typing import LiteralString

import asyncpg

AT_ONCE = 10_000


async def digest(connection: asyncpg.Connection) -> str:
    """The SHA-256 of all openings there are, read as a stream; in a transaction."""
    whole = hashlib.sha256()
    for statement in CONTENTS:
        part = hashlib.sha256()
        async for row in connection.cursor(statement, prefetch=AT_ONCE):
            part.update(row[0])
        whole.update(part.digest())
    return whole.hexdigest()


async def fault(connection: asyncpg.Connection) -> str | None:
    """How the openings differ from what the last drop left; None: not at all."""
    beginning = await connection.fetchval("SELECT at FROM ledger_beginning")
    last = await connection.fetchrow(LAST_DROP)
    if last is None:
        return beginning and "postings are said to be dropped, but by no action"
    if beginning != last["before"]:
        return (
            f"postings are said to be dropped before {beginning}, "
            f"but action {last['id']} dropped those before {last['before']}"
        )
    if last["digest"] and last["digest"] != await digest(connection):
        return f"the openings are not those that action {last['id']} left"
    return None


# A player's openings are hashed together: one row for each player is enough to be sent.
CONTENTS: tuple[LiteralString, ...] = (
    """
    SELECT record_send(ROW(player_id, seq, at)) FROM opening_heads ORDER BY player_id
    """,
    """
    SELECT sha256(string_agg(
               record_send(ROW(player_id, place, inside, slot, item_id, quantity, stat_buffs,
                               bag_id)),
               '' ORDER BY place COLLATE "C", inside, slot))
      FROM openings
     GROUP BY player_id
     ORDER BY player_id
    """,
    """
    SELECT record_send(ROW(item_id, against, quantity))
      FROM opening_accounts
     ORDER BY item_id, against COLLATE "C"
    """,
)

# A drop that found no postings left everything as it was.
LAST_DROP: LiteralString = """
    SELECT id, (after->>'before')::timestamptz AS before, after->>'openings' AS digest
      FROM actions LEFT JOIN chain ON action_id = id
     WHERE kind = 'ledger.drop' AND (after->>'postings')::bigint > 0
     ORDER BY chain.seq DESC NULLS FIRST, position DESC NULLS LAST, at DESC, id DESC
     LIMIT 1
"""
