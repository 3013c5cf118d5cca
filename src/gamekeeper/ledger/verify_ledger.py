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
    letters   an open letter holds what was sent, every other one nothing, and each is in the
              state that its last action left
    evidence  the chat lines of each sanction and report are those whose hash its action has
    orders    each delivered line of an order has its letter and its postings once, and each
              returned line was taken back once
    openings  the opening balances match the action that dropped their postings
    checkpoints  each checkpoint is what the postings up to it left

Several connections share one snapshot, so verification may run while others write. It
takes no locks and changes nothing.
"""

import asyncio
from collections import Counter, deque
from contextlib import AsyncExitStack
from typing import LiteralString
from uuid import UUID

import asyncpg
from msgspec import Struct

from gamekeeper.core.progress import StepCallback
from gamekeeper.core.settings import Settings
from gamekeeper.ledger import invariants, mailboxes, opening_balances, states
from gamekeeper.ledger.checkpoints import CHECKPOINTS
from gamekeeper.ledger.evidence import CASE_EVIDENCE, EVIDENCE, REPORT_EVIDENCE
from gamekeeper.ledger.guild_banks import GUILD_ACTIONS, GUILD_ORIGINS
from gamekeeper.ledger.invariants import Laws
from gamekeeper.ledger.origins import FITTING, LOSSES, ORIGINS
from gamekeeper.ledger.shop_orders import ORDER_DELIVERIES, ORDER_RETURNS
from gamekeeper.ledger.snapshots import instant, lane
from gamekeeper.ledger.staff_states import OF_STAFF

LANES = 2
"""Concurrent connections."""
MIN_RANGE = 1_000_000
MAX_RANGES = 16
"""
The minimum of postings in a range, and the maximum of ranges: the postings of a few players
are spread over the whole table, so each range is one more scan of it.
"""
MIN_GENTLE_RANGE = 100_000
"""Instead of `MIN_RANGE`, where progress in small steps matters more than speed."""

MAX_BREACHES_PER_LAW = 100
"""How many breaches of one law are listed; the other laws are listed all the same."""
LIMIT: LiteralString = "LIMIT 101"
"""One more than are listed, to know whether there are more."""

MIN_ID, MAX_ID = UUID(int=0), UUID(int=2**128 - 1)


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
    breaches: list[LedgerBreach] = []
    """By ranges of players, then by law; within a law by player and number."""
    truncated: list[str] = []
    """The laws with more breaches than are listed."""

    @property
    def breach(self) -> LedgerBreach | None:
        """The first one; None if all invariants hold."""
        return self.breaches[0] if self.breaches else None


class Range(Struct, frozen=True):
    """A range of player ids, and how many postings it has by the heads."""

    low: UUID
    high: UUID
    postings: int


async def verify(
    settings: Settings,
    player: UUID | None = None,
    on_progress: StepCallback = lambda done, total: None,
    *,
    is_gentle: bool = False,
) -> Proof:
    """
    Check all invariants, for all players or for one.

    A gentle verification takes longer, and one connection.
    """
    lanes, smallest = (1, MIN_GENTLE_RANGE) if is_gentle else (LANES, MIN_RANGE)
    async with AsyncExitStack() as stack:
        connections = [await stack.enter_async_context(lane(settings, is_gentle=is_gentle))]
        snapshot = await instant(connections[0])
        tried = invariants.FROM_THE_FIRST
        if await connections[0].fetchval("SELECT EXISTS (SELECT FROM ledger_beginning)"):
            tried = invariants.FROM_OPENINGS
        ranges = await _ranges(connections[0], player, smallest)
        connections += [
            await stack.enter_async_context(lane(settings, snapshot))
            for _ in range(min(lanes, len(ranges)) - 1)
        ]
        found = await _walk(connections, tried, ranges, on_progress)
        if player is None:
            found += await _of_all(connections[0], tried)
        breaches, truncated = _bounded(found)
        postings = sum(part.postings for part in ranges)
        return Proof(postings=postings, breaches=breaches, truncated=truncated)


async def _ranges(
    connection: asyncpg.Connection, player: UUID | None, smallest: int
) -> list[Range]:
    """Partition all possible ids into ranges with about as many postings each."""
    if player:
        said = await connection.fetchval(
            f"SELECT seq FROM ({HEADS}) AS heads WHERE player_id = $1", player
        )
        return [Range(player, player, said or 0)]
    total = await connection.fetchval(f"SELECT sum(seq)::bigint FROM ({HEADS}) AS heads") or 0
    size = max(smallest, -(-total // MAX_RANGES))
    cuts = await connection.fetch(CUTS, size)
    ranges: list[Range] = []
    low, before = MIN_ID, 0
    for cut in cuts[:-1]:
        ranges.append(Range(low, cut["player_id"], cut["upto"] - before))
        low, before = UUID(int=cut["player_id"].int + 1), cut["upto"]
    # Beyond the last cut: a player after the last head has no postings, but may hold items.
    return [*ranges, Range(low, MAX_ID, total - before)]


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
    connections: list[asyncpg.Connection],
    tried: Laws,
    ranges: list[Range],
    on_progress: StepCallback,
) -> list[LedgerBreach]:
    """The breaches in all ranges, in the order of the ranges."""
    waiting, found = deque(enumerate(ranges)), dict[int, list[LedgerBreach]]()
    done, total = 0, sum(part.postings for part in ranges)
    on_progress(0, total)

    async def work(connection: asyncpg.Connection) -> None:
        nonlocal done
        while waiting:
            number, part = waiting.popleft()
            found[number] = await _in_range(connection, tried, part)
            done += part.postings
            on_progress(done, total)

    async with asyncio.TaskGroup() as lane:
        for connection in connections:
            lane.create_task(work(connection))
    return [breach for number in sorted(found) for breach in found[number]]


async def _in_range(connection: asyncpg.Connection, tried: Laws, part: Range) -> list[LedgerBreach]:
    """
    The breaches of all laws in a range.

    Every law is checked, also after a breach of another: an error in one place must not hide a
    forgery in another.
    """
    players = part.low, part.high
    breaches = await _breaches(connection, tried.numbers, *players)
    if not await connection.fetchval(tried.slots_follow, *players):
        slots = await _breaches(connection, tried.slots, *players)
        # With postings of equal numbers the two statements may sort them differently.
        assert slots or breaches, "one statement saw a breach that the other could not name"
        breaches += slots
    breaches += await _breaches(connection, ORIGINS, *players, FITTING)
    for law in (LOSSES, CHECKPOINTS, *states.OF_PLAYERS, *mailboxes.OF_PLAYERS):
        breaches += await _breaches(connection, law, *players)
    return breaches


async def _of_all(connection: asyncpg.Connection, tried: Laws) -> list[LedgerBreach]:
    """The breaches of the invariants over all players."""
    breaches = await _breaches(connection, GUILD_ORIGINS, FITTING)
    of_all: tuple[LiteralString, ...] = (
        *(tried.accounts, GUILD_ACTIONS, *states.OF_ALL, *OF_STAFF),
        *(EVIDENCE, REPORT_EVIDENCE, CASE_EVIDENCE),
    )
    for law in (*of_all, ORDER_DELIVERIES, ORDER_RETURNS):
        breaches += await _breaches(connection, law)
    if fault := await opening_balances.fault(connection):
        breaches.append(LedgerBreach(law="openings", message=fault))
    return breaches


async def _breaches(
    connection: asyncpg.Connection, sql: LiteralString, *args: object
) -> list[LedgerBreach]:
    return [LedgerBreach(**row) for row in await connection.fetch(sql + LIMIT, *args)]


def _bounded(found: list[LedgerBreach]) -> tuple[list[LedgerBreach], list[str]]:
    """What is listed, and the laws with more breaches than that."""
    counts = Counter[str]()
    listed: list[LedgerBreach] = []
    for breach in found:
        counts[breach.law] += 1
        if counts[breach.law] <= MAX_BREACHES_PER_LAW:
            listed.append(breach)
    return listed, [law for law, count in counts.items() if count > MAX_BREACHES_PER_LAW]
