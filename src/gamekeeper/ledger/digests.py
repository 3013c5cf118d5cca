"""
Digests of postings: one SHA-256 for all postings of an action.

It covers every column of each posting, ordered by player and number, in PostgreSQL's binary
row format, which depends on no setting.
"""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import LiteralString
from uuid import UUID

import asyncpg
from msgspec import Struct

from gamekeeper.ledger.kinds.registry import BULK_LOADS
from gamekeeper.ledger.links import Linked

BULK_KINDS = frozenset(kind.name for kind in BULK_LOADS)
"""Bulk loads of many players: their postings are read as a stream."""
AT_ONCE = 10_000
SLACK = timedelta(days=1)
"""
A posting is never much older than its action. It may be newer by as much as the clock was
set back, because a player's time never runs backwards.
"""


class Posted(Struct, frozen=True):
    """The postings of one action."""

    count: int
    quantity: int
    """The sum over all of them."""
    digest: bytes


async def read_digests(
    connection: asyncpg.Connection, actions: Sequence[Linked], *, any_time: bool = True
) -> dict[UUID, Posted]:
    """
    The digests of those of `actions` that have postings.

    Without `any_time`, only the monthly partitions of the actions are read.
    """
    usual = [action for action in actions if action.kind not in BULK_KINDS]
    found = await _of_many(connection, usual, any_time=any_time) if usual else {}
    for action in actions:
        if action.id and action.kind in BULK_KINDS:
            found[action.id] = await _of_one(connection, action)
    return {action: sum_.posted() for action, sum_ in found.items() if sum_.count}


async def _of_many(
    connection: asyncpg.Connection, actions: Sequence[Linked], *, any_time: bool
) -> "dict[UUID, _Sum]":
    times = [action.at for action in actions if action.at]
    rows = await connection.fetch(
        OF_MANY,
        list({action.xid for action in actions}),
        min(times) - SLACK,
        None if any_time else max(times) + SLACK,
    )
    # Another action of the same transaction may be linked in another batch.
    wanted = {action.id for action in actions if action.id}
    sums: dict[UUID, _Sum] = {}
    for action, quantity, content in rows:
        if action in wanted:
            sums.setdefault(action, _Sum()).add(quantity, content)
    return sums


async def _of_one(connection: asyncpg.Connection, action: Linked) -> "_Sum":
    whole = _Sum()
    # The demo's postings have transaction id 0: see demo/ledger.py.
    written = [action.xid, *(["0"] if action.kind == "demo.fill" else [])]
    asked = connection.cursor(OF_ONE, action.id, written, prefetch=AT_ONCE)
    async for _, quantity, content in asked:
        whole.add(quantity, content)
    return whole


class _Sum:
    """Adds up the postings of an action, one after the other."""

    __slots__ = ("_hash", "count", "quantity")

    def __init__(self) -> None:
        self.count = self.quantity = 0
        self._hash = hashlib.sha256()

    def add(self, quantity: int, content: bytes) -> None:
        self.count += 1
        self.quantity += quantity
        self._hash.update(content)

    def posted(self) -> Posted:
        return Posted(self.count, self.quantity, self._hash.digest())


# A column that is added to postings needs a new form of links.
CONTENT: LiteralString = """
    record_send(ROW(player_id, seq, at, xid, action_id, place, inside, slot, item_id, quantity,
                    against, held_before, held_after, stat_buffs, bag_id, loss_id))
"""

# By transaction id, which is indexed. On a server that the database was dumped from, another
# transaction may have had the same id.
OF_MANY: LiteralString = f"""
    SELECT action_id, quantity, {CONTENT}
      FROM postings
     WHERE xid = ANY($1::text[]::xid8[])
       AND at >= $2 AND at < coalesce($3::timestamptz, 'infinity')
     ORDER BY player_id, seq, at
"""

OF_ONE: LiteralString = f"""
    SELECT action_id, quantity, {CONTENT}
      FROM postings
     WHERE action_id = $1 AND xid = ANY($2::text[]::xid8[])
     ORDER BY player_id, seq, at
"""
