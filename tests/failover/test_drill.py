"""
Failovers under load: no acknowledged change is lost or doubled, and the proofs hold.

`DRILL_FAILOVERS` says how many (30 is the full drill), `DRILL_KINDS` which, `DRILL_SETTINGS` is
`tuned` (those of docs/operate/failover.md) or `default` (Patroni's). The table is printed.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from uuid import UUID

import asyncpg
import pytest
from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.core import tasks
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests import processes
from tests.deadlines import until
from tests.failover import nodes
from tests.failover.crowd import Crowd, Follower
from tests.failover.nodes import Node, Nodes
from tests.make import BY, make_item, make_player
from tests.server import environment, serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.skipif(nodes.MISSING is not None, reason=nodes.MISSING or ""),
]

KINDS = os.environ.get("DRILL_KINDS", "switchover,kill,freeze,cut").split(",")
FAILOVERS = int(os.environ.get("DRILL_FAILOVERS", "8"))
CLIENTS = int(os.environ.get("DRILL_CLIENTS", "16"))
CHARACTERS = 40
FROZEN_SECONDS = 60
PATRONI: dict[str, dict[str, object]] = {
    "tuned": {},
    "default": {"ttl": 30, "loop_wait": 10, "retry_timeout": 10},
    "asynchronous": {"synchronous_mode": "false"},
}
CHOSEN = os.environ.get("DRILL_SETTINGS", "tuned")


class Failover(Struct):
    kind: str
    election: float
    """Seconds until a standby is promoted."""
    without_writes: float
    """The longest time between two acknowledged changes."""
    resumed: float
    """Seconds from the promotion to the next acknowledged change."""
    acknowledged: int


async def prepared(cluster: Nodes) -> tuple[Settings, str, list, object]:
    leader = await cluster.settled()
    connection = await asyncpg.connect(
        f"postgresql://postgres:choose-a-password@127.0.0.1:{leader.port}/postgres"
    )
    await connection.execute("CREATE ROLE gamekeeper LOGIN PASSWORD 'secret'")
    await connection.execute("CREATE DATABASE gamekeeper OWNER gamekeeper")
    await connection.close()
    settings = Settings(database_url=Hidden(cluster.url))
    await migrate(settings)
    async with Database.open(settings) as database:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="drill"))
        item = await make_item(database, inventory_stack=1_000_000)
        players = [await make_player(database, f"p{number}") for number in range(CHARACTERS)]
    return settings, str(key), players, item


@asynccontextmanager
async def acting(crowd: Crowd) -> AsyncIterator[None]:
    acting = asyncio.create_task(crowd.run(CLIENTS))
    try:
        yield
        crowd.stop()
        await acting
    finally:
        await tasks.end([acting])


@asynccontextmanager
async def following(follower: Follower) -> AsyncIterator[None]:
    task = asyncio.create_task(follower.run())
    try:
        yield
    finally:
        await tasks.end([task])


async def fail_over(cluster: Nodes, crowd: Crowd, kind: str) -> Failover:
    leader = await cluster.settled()
    await _some_answers(crowd)
    begun, before = time.monotonic(), len(crowd.answered)
    repair = asyncio.create_task(_fault(cluster, leader, kind))
    async with asyncio.timeout(300):
        await cluster.promoted(leader)
    election = time.monotonic() - begun
    await _some_answers(crowd)
    await repair
    await cluster.settled()
    times = [begun, *crowd.answered[before:]]
    longest = max(later - earlier for earlier, later in pairwise(times))
    promoted = begun + election
    resumed = min(at for at in times if at > promoted) - promoted
    return Failover(kind, election, longest, resumed, len(times) - 1)


async def _some_answers(crowd: Crowd) -> None:
    wanted = len(crowd.answered) + 100

    async def are_there() -> bool:
        return len(crowd.answered) >= wanted

    await until(are_there, "clients are answered", 0.1)


async def _fault(cluster: Nodes, leader: Node, kind: str) -> None:
    """Cause the fault, and end it after a while."""
    match kind:
        case "switchover":
            await cluster.switch_over(leader)
        case "kill":
            leader.kill()
            await asyncio.sleep(FROZEN_SECONDS / 2)
            leader.start()
        case "freeze":
            leader.signal(signal.SIGSTOP)
            await asyncio.sleep(FROZEN_SECONDS)
            leader.signal(signal.SIGCONT)
        case "cut":
            for proxy in (leader.network, leader.etcd):
                proxy.silence()
            await asyncio.sleep(FROZEN_SECONDS)
            for proxy in (leader.network, leader.etcd):
                proxy.resume()
        case _:
            raise AssertionError(kind)


async def test_failovers_lose_and_double_nothing(tmp_path: Path):
    with nodes.running(PATRONI[CHOSEN]) as cluster:
        settings, key, players, item = await prepared(cluster)
        worker = [sys.executable, "-m", "gamekeeper", "worker"]
        with (
            serving(settings, tmp_path / "serve") as (url, _),
            (tmp_path / "worker").open("wb") as log,
            processes.running(worker, env=environment(settings), stdout=log, stderr=log),
        ):
            crowd, follower = Crowd(url, key, players, item), Follower(url, key)
            async with following(follower):
                async with acting(crowd):
                    failovers = []
                    for number in range(FAILOVERS):
                        kind = KINDS[number % len(KINDS)]
                        failovers.append(await fail_over(cluster, crowd, kind))
                        print(failovers[-1], flush=True)
                report(failovers, crowd)
                await check(settings, crowd, follower)


def report(failovers: list[Failover], crowd: Crowd) -> None:
    print(f"\n{CHOSEN} settings, {CLIENTS} clients, {dict(crowd.heard)}")
    print("| Fault | Failovers | Election, s | Without writes, s | worst | After the promotion |")
    print("|---|---|---|---|---|---|")
    for kind in KINDS:
        those = [each for each in failovers if each.kind == kind]
        if those:
            elections = [each.election for each in those]
            without = [each.without_writes for each in those]
            resumed = max(each.resumed for each in those)
            print(
                f"| {kind} | {len(those)} | {median(elections):.1f} | {median(without):.1f} "
                f"| {max(without):.1f} | {resumed:.1f} |"
            )


async def check(settings: Settings, crowd: Crowd, follower: Follower) -> None:
    async with Database.open(settings) as database:
        differing = await compare(database, crowd)
        # Without a synchronous standby, events were streamed that no longer exist.
        if CHOSEN != "asynchronous":
            await check_events(database, follower)
    for command in (["ledger", "verify"], ["actions", "verify"]):
        done = processes.run(
            [sys.executable, "-m", "gamekeeper", *command], env=environment(settings)
        )
        assert done.returncode == 0, done.stdout + done.stderr
        print(done.stdout.strip())
    if CHOSEN != "asynchronous":
        assert differing == {}


async def compare(database: Database, crowd: Crowd) -> dict[UUID, tuple[int, int]]:
    """What each character has and what it should have, of those for which that differs."""
    rows = await database.reader.rows("SELECT player_id, sum(quantity) FROM slots GROUP BY 1")
    found = {row["player_id"]: row["sum"] for row in rows}
    expected = {player: held for player, held in crowd.held.items() if held}
    differing = {
        player: (found.get(player, 0), expected.get(player, 0))
        for player in found.keys() | expected.keys()
        if found.get(player, 0) != expected.get(player, 0)
    }
    lost = sum(max(0, due - there) for there, due in differing.values())
    doubled = sum(max(0, there - due) for there, due in differing.values())
    print(f"{len(crowd.answered)} acknowledged, {lost} lost, {doubled} doubled", flush=True)
    return differing


async def check_events(database: Database, follower: Follower) -> None:
    """Every action is linked, and its event was streamed once, in order."""

    async def is_linked() -> bool:
        unlinked = "SELECT count(*) FROM actions WHERE id NOT IN (SELECT action_id FROM chain)"
        return await database.reader.value(unlinked) == 0

    await until(is_linked, "the sequencer has linked all actions")
    rows = await database.reader.rows("SELECT seq FROM chain ORDER BY seq")
    linked = [row["seq"] for row in rows]

    async def is_streamed() -> bool:
        return bool(follower.seen) and follower.seen[-1] == linked[-1]

    await until(is_streamed, "all events are streamed")
    print(f"{len(linked)} events over {follower.streams} streams")
    assert follower.seen == linked
