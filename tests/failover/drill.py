"""A drill: three servers, clients, one failover after the other, and a proof after each."""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import pairwise
from pathlib import Path

import asyncpg
from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.auth.limits import Limits
from gamekeeper.core import tasks
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.guilds import lifecycle, members
from tests import processes
from tests.deadlines import until
from tests.failover import faults, nodes, proofs
from tests.failover.crowd import Crowd, Follower, World
from tests.failover.nodes import Nodes
from tests.failover.options import Options
from tests.failover.proofs import Proof
from tests.make import BY, make_item, make_player
from tests.server import environment, serving

CHARACTERS = 40
ELECTION_SECONDS = 300


class Failover(Struct, frozen=True, kw_only=True):
    kind: str
    election: float | None
    """Seconds until a standby was promoted; None: none was, the primary recovered."""
    without_writes: float
    """The longest time between two acknowledged changes."""
    resumed: float | None
    """Seconds from the promotion to the next acknowledged change."""
    acknowledged: int
    proof: Proof


class Finished(Struct, frozen=True, kw_only=True):
    options: Options
    failovers: list[Failover]
    answers: dict[str, int]
    """How often clients got each status and code, or fault of the network."""
    streams: int


async def run(options: Options, on_failover: Callable[[Failover], None]) -> Finished:
    small = "disk" in options.kinds
    with (
        _logs() as logs,
        nodes.running(options.patroni, small_disks=small) as cluster,
    ):
        settings, world = await _prepared(cluster, options)
        worker = [sys.executable, "-m", "gamekeeper", "worker"]
        with (
            serving(settings, logs / "serve") as (url, _),
            (logs / "worker").open("wb") as log,
            processes.running(worker, env=environment(settings), stdout=log, stderr=log),
        ):
            may_lose = options.asynchronous
            crowd = Crowd(url, world, options.operations, may_lose=may_lose)
            follower = Follower(url, world.key)
            done: list[Failover] = []
            async with _acting(crowd, follower, options.clients):
                for kind in options.order:
                    made = await _fail_over(cluster, crowd, kind, options)
                    proof = await _proved(settings, crowd, follower, may_lose=may_lose)
                    done.append(Failover(**made, proof=proof))
                    on_failover(done[-1])
                    assert proof.holds or may_lose, proof.problems
    return Finished(
        options=options, failovers=done, answers=dict(crowd.heard), streams=follower.streams
    )


@contextmanager
def _logs() -> Iterator[Path]:
    """A directory for logs; their ends are shown if the drill fails."""
    with tempfile.TemporaryDirectory(prefix="gamekeeper-drill-") as directory:
        try:
            yield Path(directory)
        except BaseException:
            for log in sorted(Path(directory).iterdir()):
                print(log.name, log.read_text(errors="replace")[-6000:])
            raise


async def _prepared(cluster: Nodes, options: Options) -> tuple[Settings, World]:
    leader = await cluster.settled()
    connection = await asyncpg.connect(leader.url)
    await connection.execute("CREATE ROLE gamekeeper LOGIN PASSWORD 'secret'")
    await connection.execute("CREATE DATABASE gamekeeper OWNER gamekeeper")
    await connection.close()
    settings = Settings(database_url=Hidden(cluster.url))
    await migrate(settings)
    async with Database.open(settings) as database:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="drill"))
        limits = Limits(largest_gift=0)
        limited = keys.NewKey(by=BY, name="limited", limits=limits)
        players = [await make_player(database, f"p{number}") for number in range(CHARACTERS)]
        recruits = [
            await make_player(database, f"recruit{number}") for number in range(options.clients)
        ]
        order = lifecycle.GuildFounding(by=BY, name="Drill", owner=str(players[0]))
        guild = (await lifecycle.found.one(database, order)).id
        for player in players[1:]:
            join = members.GuildJoin(by=BY, guild_id=guild, player=str(player))
            await members.change_members.one(database, join)
        world = World(
            key=str(key),
            limited_key=str(await keys.create.one(database, limited)),
            players=players,
            recruits=recruits,
            item=await make_item(database, inventory_stack=1_000_000, bank_stack=10_000_000),
            guild=guild,
        )
    return settings, world


@asynccontextmanager
async def _acting(crowd: Crowd, follower: Follower, clients: int) -> AsyncIterator[None]:
    crowd.expected.actions["guilds.join"] += CHARACTERS - 1
    # A client that fails ends the drill at once.
    async with asyncio.TaskGroup() as group:
        acting = group.create_task(crowd.run(clients))
        following = group.create_task(follower.run())
        yield
        crowd.stop()
        await acting
        following.cancel()


async def _fail_over(cluster: Nodes, crowd: Crowd, kind: str, options: Options) -> dict:
    leader = await cluster.settled()
    await _some_answers(crowd)
    begun, before = time.monotonic(), len(crowd.answered)
    repair = asyncio.create_task(faults.cause(kind, cluster, leader, options.seconds))
    promotion = asyncio.create_task(cluster.promoted(leader))
    async with asyncio.timeout(ELECTION_SECONDS):
        waiting = {promotion} if kind == "switchover" else {promotion, repair}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    election = time.monotonic() - begun if promotion.done() else None
    await _some_answers(crowd)
    await repair
    await cluster.settled()
    await tasks.end([promotion])
    times = [begun, *crowd.answered[before:]]
    after = [at for at in times if election is not None and at > begun + election]
    return {
        "kind": kind,
        "election": election,
        "without_writes": max(later - earlier for earlier, later in pairwise(times)),
        "resumed": min(after) - begun - election if after and election is not None else None,
        "acknowledged": len(times) - 1,
    }


async def _proved(settings: Settings, crowd: Crowd, follower: Follower, *, may_lose: bool) -> Proof:
    await crowd.pause()
    try:
        return await proofs.prove(settings, crowd, follower, may_lose=may_lose)
    finally:
        crowd.resume()


async def _some_answers(crowd: Crowd) -> None:
    wanted = len(crowd.answered) + 100

    async def are_there() -> bool:
        return len(crowd.answered) >= wanted

    await until(are_there, "clients are answered", 0.1)
