"""
Verification of the ledger: everything that players and guilds hold follows from the postings.

It checks these invariants ("laws"), each by one statement over many players at once:

    numbers   each player's postings are numbered 1 to n, in the order of time, and the
              player's head is n; if months were dropped, numbers start at the opening
    slots     each posting finds in its slot what the one before it left there, and the
              slot now holds what the last one left; a slot without postings is empty
    actions   each posting has an action of its transaction, which agrees with it
    losses    no undo or restore returned more than was taken
    states    state without postings is as its last action left it: characters, names,
              levels, sheets, spells, variables, and all powers, addresses, passwords
              and keys
    accounts  for each item all slots and the named accounts add up to 0
    guilds    each posting of a guild's bank has its action, and what an action moves between
              a character and a guild adds up to 0 for each item with its buffs
    openings  the opening balances match the action that dropped their postings

Several connections share one snapshot, so verification may run while others write. It
takes no locks and changes nothing.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import LiteralString
from uuid import UUID

import asyncpg
from msgspec import Struct

from gamekeeper.core.settings import Settings
from gamekeeper.ledger import invariants, opening_balances, states
from gamekeeper.ledger.guild_banks import GUILD_ACTIONS, GUILD_ORIGINS
from gamekeeper.ledger.invariants import Laws
from gamekeeper.ledger.origins import FITTING, LOSSES, ORIGINS
from gamekeeper.ledger.snapshots import instant, lane
from gamekeeper.ledger.staff_states import OF_STAFF

LANES = 2
"""Concurrent connections."""
SMALLEST = 1_000_000
MOST = 16
"""
The minimum of postings in a range, and the maximum of ranges: the postings of a few players
are spread over the whole table, so each range is one more scan of it.
"""

ProgressCallback = Callable[[int, int], None]
"""Progress callback: the number of postings verified, and of all postings."""

FIRST, LAST = UUID(int=0), UUID(int=2**128 - 1)


class LedgerBreach(Struct, frozen=True, kw_only=True):
    """A breach of an invariant: the ledger and the current state disagree."""

    law: str
    message: str
    player_id: UUID | None = None
    seq: int | None = None
    place: str | None = None
    inside: UUID | None = None
    slot: int | None = None
    item_id: UUID | None = None
    user_id: UUID | None = None


class Proof(Struct, frozen=True, kw_only=True):
    postings: int
    breach: LedgerBreach | None
    """The first one, by player and number; None if all invariants hold."""


class Range(Struct, frozen=True):
    """A range of player ids, and how many postings it has by the heads."""

    low: UUID
    high: UUID
    postings: int


async def verify(
    settings: Settings,
    player: UUID | None = None,
    tell: ProgressCallback = lambda done, total: None,
) -> Proof:
    """Check all invariants, for all players or for one."""
    async with AsyncExitStack() as stack:
        connections = [await stack.enter_async_context(lane(settings))]
        snapshot = await instant(connections[0])
        tried = invariants.FROM_THE_FIRST
        if await connections[0].fetchval("SELECT EXISTS (SELECT FROM ledger_beginning)"):
            tried = invariants.FROM_OPENINGS
        ranges = await _ranges(connections[0], player)
        connections += [
            await stack.enter_async_context(lane(settings, snapshot))
            for _ in range(min(LANES, len(ranges)) - 1)
        ]
        breach = await _walk(connections, tried, ranges, tell)
        if breach is None and player is None:
            breach = await _of_all(connections[0], tried)
        return Proof(postings=sum(part.postings for part in ranges), breach=breach)


async def _ranges(connection: asyncpg.Connection, player: UUID | None) -> list[Range]:
    """Partition all possible ids into ranges with about as many postings each."""
    if player:
        said = await connection.fetchval(
            f"SELECT seq FROM ({HEADS}) AS heads WHERE player_id = $1", player
        )
        return [Range(player, player, said or 0)]
    total = await connection.fetchval(f"SELECT sum(seq)::bigint FROM ({HEADS}) AS heads") or 0
    size = max(SMALLEST, -(-total // MOST))
    cuts = await connection.fetch(CUTS, size)
    ranges: list[Range] = []
    low, before = FIRST, 0
    for cut in cuts:
        ranges.append(Range(low, cut["player_id"], cut["upto"] - before))
        low, before = UUID(int=min(cut["player_id"].int + 1, LAST.int)), cut["upto"]
    # A player after the last head should have no postings, but may still hold items.
    return [*ranges, Range(low, LAST, 0)]


# How many postings each player has, without the dropped ones.
HEADS: LiteralString = """
    SELECT player_id, heads.seq - coalesce(opening_heads.seq, 0) AS seq
      FROM ledger_heads AS heads LEFT JOIN opening_heads USING (player_id)
"""

CUTS: LiteralString = f"""
    SELECT DISTINCT ON (part) player_id, upto
      FROM (SELECT player_id, upto, (upto - 1) / $1::bigint AS part
              FROM (SELECT player_id, (sum(seq) OVER (ORDER BY player_id))::bigint AS upto
                      FROM ({HEADS}) AS there) AS heads) AS parts
     ORDER BY part, player_id DESC
"""


async def _walk(
    connections: list[asyncpg.Connection], tried: Laws, ranges: list[Range], tell: ProgressCallback
) -> LedgerBreach | None:
    """
    The first breach in any range.

    Ranges are started in order, and none after one with a breach: so all ranges before it
    were checked, and the first breach found is the first there is.
    """
    waiting, found = deque(enumerate(ranges)), dict[int, LedgerBreach]()
    done, total = 0, sum(part.postings for part in ranges)
    tell(0, total)

    async def work(connection: asyncpg.Connection) -> None:
        nonlocal done
        while waiting and not found:
            number, part = waiting.popleft()
            if breach := await _breach(connection, tried, part):
                found[number] = breach
            done += part.postings
            tell(done, total)

    async with asyncio.TaskGroup() as lane:
        for connection in connections:
            lane.create_task(work(connection))
    return found[min(found)] if found else None


async def _breach(connection: asyncpg.Connection, tried: Laws, part: Range) -> LedgerBreach | None:
    if breach := await _first(connection, tried.numbers, part.low, part.high):
        return breach
    if await connection.fetchval(tried.slots_follow, part.low, part.high):
        return await _follows(connection, part)
    breach = await _first(connection, tried.slots, part.low, part.high)
    assert breach is not None, "one statement saw a breach that the other could not name"
    return breach


async def _follows(connection: asyncpg.Connection, part: Range) -> LedgerBreach | None:
    """The first posting or state that does not follow from an action."""
    if breach := await _first(connection, ORIGINS, part.low, part.high, FITTING):
        return breach
    for law in (LOSSES, *states.OF_PLAYERS):
        if breach := await _first(connection, law, part.low, part.high):
            return breach
    return None


async def _of_all(connection: asyncpg.Connection, tried: Laws) -> LedgerBreach | None:
    """The first breach of an invariant over all players."""
    if breach := await _first(connection, GUILD_ORIGINS, FITTING):
        return breach
    for law in (tried.accounts, GUILD_ACTIONS, *states.OF_ALL, *OF_STAFF):
        if breach := await _first(connection, law):
            return breach
    fault = await opening_balances.fault(connection)
    return LedgerBreach(law="openings", message=fault) if fault else None


async def _first(
    connection: asyncpg.Connection, sql: LiteralString, *args: object
) -> LedgerBreach | None:
    row = await connection.fetchrow(sql, *args)
    if row is None:
        return None
    return LedgerBreach(**row)
