"""The faults of a primary, each of which ends after a while."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress

import asyncpg

from tests.failover import disks
from tests.failover.nodes import ASKING_SECONDS, Node, Nodes

WAL_FILES = 64
"""More than PostgreSQL has in reserve."""


async def cause(kind: str, cluster: Nodes, leader: Node, seconds: float) -> None:
    await FAULTS[kind](cluster, leader, seconds)


async def _switchover(cluster: Nodes, leader: Node, _: float) -> None:
    await cluster.switch_over(leader)


async def _kill(_: Nodes, leader: Node, seconds: float) -> None:
    leader.kill()
    await asyncio.sleep(seconds)
    leader.start()


async def _freeze(_: Nodes, leader: Node, seconds: float) -> None:
    leader.signal(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    leader.signal(signal.SIGCONT)


async def _cut(_: Nodes, leader: Node, seconds: float) -> None:
    """The other servers and etcd do not reach it; the service still does."""
    for proxy in (leader.network, leader.etcd):
        proxy.silence()
    await asyncio.sleep(seconds)
    for proxy in (leader.network, leader.etcd):
        proxy.resume()


async def _disk(_: Nodes, leader: Node, seconds: float) -> None:
    """No space is left for tables nor for the write-ahead log."""
    disks.fill(leader.disk)
    using = asyncio.create_task(_use_reserve(leader))
    await asyncio.sleep(seconds)
    using.cancel()
    disks.free(leader.disk)


async def _use_reserve(leader: Node) -> None:
    """Use up the files of the write-ahead log that exist already: minutes of small changes."""
    with suppress(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
        connection = await asyncpg.connect(leader.url, timeout=ASKING_SECONDS)
        try:
            for number in range(WAL_FILES):
                # A file is only left if it has something.
                await connection.execute(f"SELECT pg_create_restore_point('drill {number}')")
                await connection.execute("SELECT pg_switch_wal()")
        finally:
            connection.terminate()


FAULTS: dict[str, Callable[[Nodes, Node, float], Awaitable[None]]] = {
    "kill": _kill,
    "freeze": _freeze,
    "cut": _cut,
    "disk": _disk,
    "switchover": _switchover,
}
