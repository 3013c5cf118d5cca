"""
Verification of the ledger: all that is held follows from the postings.

These laws are tried, each by one statement over many players at once:

    numbers   each player's postings are numbered 1 to n, in the order of time,
              and the player's head says n; if months were dropped, on from the opening
    slots     what a posting found in its slot is what the one before it left there,
              and what lies there now is what the last one left; where there is no
              posting there is nothing
    actions   each posting has an action of its transaction, which says the same
    losses    no undo or restore gave back more than was taken
    states    what has no postings is as the last action about it left it: characters,
              names, levels, sheets, spells, variables, and the powers, addresses,
              passwords and keys of all
    accounts  for each item the slots of all players and the named accounts add up
              to nothing
    openings  what dropped postings came to is what the action that dropped them says

Everything is seen at one instant, shared by several connections, so it may be
done while others write. It asks for no lock and changes nothing.
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
from gamekeeper.ledger.invariants import Laws
from gamekeeper.ledger.origins import FITTING, LOSSES, ORIGINS
from gamekeeper.ledger.snapshots import instant, lane

LANES = 2
"""Connections that work side by side."""
SMALLEST = 1_000_000
MOST = 16
"""
So many postings a range has at least, and so many ranges there are at most: the
postings of a few players lie all over the table, so each range is one more walk
through all of it.
"""

ProgressCallback = Callable[[int, int], None]
"""Is told how many postings were proved, and how many there are."""

FIRST, LAST = UUID(int=0), UUID(int=2**128 - 1)


class LedgerBreach(Struct, frozen=True, kw_only=True):
    """Where the ledger and the world part ways."""

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
    """The first one, by player and number; None: everything follows from the postings."""


class Range(Struct, frozen=True):
    """Players from one id to another, and how many postings they are said to have."""

    low: UUID
    high: UUID
    postings: int


async def verify(
    settings: Settings,
    player: UUID | None = None,
    tell: ProgressCallback = lambda done, total: None,
) -> Proof:
    """Whether all laws hold, for everybody or for one player."""
    async with AsyncExitStack() as stack:
        lanes = [await stack.enter_async_context(lane(settings))]
        snapshot = await instant(lanes[0])
        tried = invariants.FROM_THE_FIRST
        if await lanes[0].fetchval("SELECT EXISTS (SELECT FROM ledger_beginning)"):
            tried = invariants.FROM_OPENINGS
        ranges = await _ranges(lanes[0], player)
        lanes += [
            await stack.enter_async_context(lane(settings, snapshot))
            for _ in range(min(LANES, len(ranges)) - 1)
        ]
        breach = await _walk(lanes, tried, ranges, tell)
        if breach is None and player is None:
            breach = await _of_all(lanes[0], tried)
        return Proof(postings=sum(part.postings for part in ranges), breach=breach)


async def _ranges(connection: asyncpg.Connection, player: UUID | None) -> list[Range]:
    """All ids there can be, cut so that each part has about as many postings."""
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
    # Whoever comes after the last head has no postings to be there, but may still hold things.
    return [*ranges, Range(low, LAST, 0)]


# How many postings each player has that are still there.
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
    lanes: list[asyncpg.Connection], tried: Laws, ranges: list[Range], tell: ProgressCallback
) -> LedgerBreach | None:
    """
    The first breach in any range.

    Ranges are begun in order, and none after one with a breach: so all before it
    were looked at, and the first that was found is the first there is.
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
        for connection in lanes:
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
    """The first posting that does not follow from an action, or state that does not."""
    if breach := await _first(connection, ORIGINS, part.low, part.high, FITTING):
        return breach
    for law in (LOSSES, *states.OF_PLAYERS):
        if breach := await _first(connection, law, part.low, part.high):
            return breach
    return None


async def _of_all(connection: asyncpg.Connection, tried: Laws) -> LedgerBreach | None:
    """The first breach of a law that is about everybody."""
    for law in (tried.accounts, *states.OF_ALL):
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
