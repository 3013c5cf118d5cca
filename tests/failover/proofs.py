"""What must hold after each failover, compared while the clients pause."""

import sys
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests import processes
from tests.deadlines import until
from tests.failover.crowd import Crowd, Expected, Follower
from tests.server import environment

HELD = """
    SELECT player_id AS owner, sum(quantity) AS held FROM slots GROUP BY 1
    UNION ALL
    SELECT guild_id, sum(quantity) FROM guild_slots GROUP BY 1
"""

RECRUITS = """
    SELECT id FROM players JOIN guild_members ON player_id = id WHERE name LIKE 'recruit%'
"""


class Proof(Struct, frozen=True, kw_only=True):
    acknowledged: int
    """Changes that were acknowledged since the drill began."""
    lost: int
    """Acknowledged changes that the database does not have."""
    doubled: int
    """Changes that the database has, and nobody was told of, or that were made twice."""
    events: int
    events_lost: int
    """Events that were streamed, and that no longer exist."""
    problems: list[str]

    @property
    def holds(self) -> bool:
        return not self.problems


class Found(Struct, frozen=True):
    """What the database contains."""

    state: Expected
    links: list[tuple[int, str]]

    @classmethod
    async def read(cls, database: Database) -> "Found":
        reader = database.reader
        held = {row["owner"]: row["held"] for row in await reader.rows(HELD)}
        kinds = await reader.rows("SELECT kind, count(*) AS count FROM actions GROUP BY 1")
        state = Expected(
            held=Counter(held),
            actions=Counter({row["kind"]: row["count"] for row in kinds}),
            recruited={row["id"] for row in await reader.rows(RECRUITS)},
        )
        return cls(state, [(row["seq"], row["action"]) for row in await reader.rows(LINKS)])


async def prove(
    settings: Settings, crowd: Crowd, follower: Follower, *, may_lose: bool = False
) -> Proof:
    """
    Compare the database with what the clients were told; they must pause.

    If changes may be lost, the clients go on from what there is.
    """
    async with Database.open(settings) as database:
        await _linked(database)
        found = await Found.read(database)
    await _streamed(found, follower, may_lose=may_lose)
    expected, streamed = crowd.expected, set(follower.seen)
    problems = [*differences(found.state, expected), *_of_events(found.links, follower.seen)]
    problems += [problem for command in VERIFIED for problem in _verify(settings, command)]
    if may_lose:
        crowd.expected, follower.seen = found.state, found.links
    return Proof(
        acknowledged=len(crowd.answered),
        lost=(expected.actions - found.state.actions).total(),
        doubled=sum(
            max(0, count - expected.actions[kind])
            for kind, count in found.state.actions.items()
            if kind in expected.actions
        ),
        events=len(found.links),
        events_lost=len(streamed - set(found.links)),
        problems=problems,
    )


def differences(found: Expected, expected: Expected) -> Iterator[str]:
    for kind, due in expected.actions.items():
        if found.actions[kind] != due:
            yield f"{found.actions[kind]} {kind}, expected {due}"
    for owner in found.held.keys() | expected.held.keys():
        if found.held[owner] != expected.held[owner]:
            yield f"{owner} has {found.held[owner]} items, expected {expected.held[owner]}"
    for recruit in found.recruited ^ expected.recruited:
        yield f"{recruit} is a member: {recruit in found.recruited}"


VERIFIED = (["ledger", "verify"], ["actions", "verify"])


def _verify(settings: Settings, command: list[str]) -> Iterator[str]:
    done = processes.run([sys.executable, "-m", "gamekeeper", *command], env=environment(settings))
    if done.returncode != 0:
        yield f"{' '.join(command)}: {done.stdout}{done.stderr}"


# NOT IN would compare each action with all links once they exceed work_mem, and time out.
UNLINKED = """
    SELECT EXISTS (SELECT FROM actions
                    WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = actions.id))
"""
LINKS = "SELECT seq, action_id::text AS action FROM chain ORDER BY seq"


async def _linked(database: Database) -> None:
    async def is_linked() -> bool:
        return not await database.reader.value(UNLINKED)

    await until(is_linked, "the sequencer has linked all actions")


async def _streamed(found: Found, follower: Follower, *, may_lose: bool) -> None:
    async def is_streamed() -> bool:
        # An id that no longer exists is refused: 409 events_unknown.
        gone = any(code.endswith("events_unknown") for code in follower.refusals)
        last = follower.seen[-1][0] if follower.seen else 0
        return (may_lose and gone) or last >= found.links[-1][0]

    await until(is_streamed, f"all events are streamed; refused: {dict(follower.refusals)}")
    follower.refusals.clear()


def _of_events(linked: list[tuple[int, str]], seen: list[tuple[int, str]]) -> Iterator[str]:
    """Every event was streamed once, in order."""
    if seen != linked:
        missing, more = len(set(linked) - set(seen)), len(set(seen) - set(linked))
        twice = len(seen) - len(set(seen))
        yield f"events: {missing} never streamed, {more} gone, {twice} streamed twice"
